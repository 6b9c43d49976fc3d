import { Ajv } from 'ajv';
import type { Fault } from './codes.ts';
import { isInstant } from './instant.ts';
import { Reading, type ReadOf, type Schema, UNREADABLE, type WireOf } from './schema.ts';
import { isStorable } from './values.ts';

/** One message of the protocol: who says it, what it asks and what is answered. */
export interface Message<Request extends Schema = Schema, Response extends Schema = Schema> {
  readonly action: string;
  readonly sentBy: 'chargePoint' | 'centralSystem' | 'both';
  /** A fact about the charge point that must be taken in the order it was told; others may overtake. */
  readonly isOrdered: boolean;
  readonly request: Request;
  readonly response: Response;
}

/** As the standard wants it: what we send. */
export type RequestOf<M extends Message> = WireOf<M['request']>;
export type ResponseOf<M extends Message> = WireOf<M['response']>;
/** As it was read: `null` and `'Unknown'` where the sender told nothing of use. */
export type ReadRequestOf<M extends Message> = ReadOf<M['request']>;
export type ReadResponseOf<M extends Message> = ReadOf<M['response']>;

export function message<Request extends Schema, Response extends Schema>(declared: {
  action: string;
  sentBy: Message['sentBy'];
  isOrdered?: boolean;
  request: Request;
  response: Response;
}): Message<Request, Response> {
  return { isOrdered: false, ...declared };
}

export type ReadResult<Value> =
  | { value: Value; repairs: readonly string[]; failure: null }
  | { value: null; repairs: readonly string[]; failure: { fault: Fault; description: string } };

/**
 * Reads a payload tolerantly. One that follows the standard, the common case, is returned as it is after the compiled
 * check; only others are walked through and repaired. Never throws.
 */
export function read<Read>(schema: Schema<unknown, Read>, payload: unknown, receivedAt = Date.now()): ReadResult<Read> {
  if (conforms(schema, payload)) return { value: payload as Read, repairs: nothing, failure: null };
  const reading = new Reading(receivedAt);
  const value = schema.read(payload, '', reading);
  if (value !== UNREADABLE) return { value, repairs: reading.repairs, failure: null };
  const failure = reading.failure ?? { fault: 'formation', description: 'unreadable' };
  return { value: null, repairs: reading.repairs, failure };
}

const nothing: readonly string[] = [];

const ajv = new Ajv({
  // 6.3 / 0.1 is not a whole number in binary; the standard means one decimal digit.
  multipleOfPrecision: 6,
  formats: { instant: isInstant, storable: isStorable },
});

const compiled = new WeakMap<object, (payload: unknown) => boolean>();

/** Whether a payload is exactly what the standard allows. Compiled at first use: a process uses half of the messages. */
export function conforms(schema: Schema, payload: unknown): boolean {
  let check = compiled.get(schema);
  if (check === undefined) {
    check = ajv.compile(schema.json);
    compiled.set(schema, check);
  }
  return check(payload);
}

/** Why a payload does not conform, for the log line of our own mistake. */
export function explain(schema: Schema, payload: unknown): string {
  const check = ajv.compile(schema.json);
  return check(payload) ? '' : ajv.errorsText(check.errors, { dataVar: 'payload' });
}
