import { Ajv } from 'ajv';
import type { OcppFault } from './codes.ts';
import { isInstant } from './instant.ts';
import { ReadContext, type ReadOf, type Schema, UNREADABLE, type WireOf } from './schema.ts';
import { isAddress, isStorableText } from './values.ts';

/** One message of the protocol: its sender, its request and its response. */
export interface Message<Request extends Schema = Schema, Response extends Schema = Schema> {
  readonly action: string;
  readonly sentBy: 'chargePoint' | 'centralSystem' | 'both';
  /**
   * True for a fact about the charge point that must be handled in the order of arrival; other messages may overtake.
   */
  readonly isOrdered: boolean;
  readonly request: Request;
  readonly response: Response;
}

/** The strict shape of the standard, which we send. */
export type RequestOf<M extends Message> = WireOf<M['request']>;
export type ResponseOf<M extends Message> = WireOf<M['response']>;
/**
 * The shape after tolerant reading: `null` and `'Unknown'` stand for values that the sender omitted or that are
 * unusable.
 */
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
  | { value: null; repairs: readonly string[]; failure: { fault: OcppFault; description: string } };

/**
 * Reads a payload tolerantly. A payload that conforms to the standard, which is the common case, is returned unchanged
 * after the compiled check; only others are repaired field by field. Never throws.
 */
export function read<Read>(schema: Schema<unknown, Read>, payload: unknown, receivedAt = Date.now()): ReadResult<Read> {
  if (conforms(schema, payload)) return { value: payload as Read, repairs: nothing, failure: null };
  const reading = new ReadContext(receivedAt);
  const value = schema.read(payload, '', reading);
  if (value !== UNREADABLE) return { value, repairs: reading.repairs, failure: null };
  const failure = reading.failure ?? { fault: 'formation', description: 'unreadable' };
  return { value: null, repairs: reading.repairs, failure };
}

const nothing: readonly string[] = [];

const ajv = new Ajv({
  // 6.3 / 0.1 is not a whole number in binary floating point; the standard means one decimal digit.
  multipleOfPrecision: 6,
  formats: { instant: isInstant, storable: isStorableText, address: isAddress },
});

const compiled = new WeakMap<object, (payload: unknown) => boolean>();

/**
 * True when a payload conforms exactly to the standard. Each schema is compiled at first use, because a process uses
 * only half of the messages.
 */
export function conforms(schema: Schema, payload: unknown): boolean {
  let check = compiled.get(schema);
  if (check === undefined) {
    check = ajv.compile(schema.json);
    compiled.set(schema, check);
  }
  return check(payload);
}

/** Explains why a payload of ours does not conform, for the log. */
export function explain(schema: Schema, payload: unknown): string {
  const check = ajv.compile(schema.json);
  return check(payload) ? '' : ajv.errorsText(check.errors, { dataVar: 'payload' });
}
