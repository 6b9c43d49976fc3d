import * as z from 'zod/mini';
import type { Group } from './group.ts';
import type { GroupMessage } from './message.ts';

/** The frames of the Web PubSub JSON sub-protocols: text frames with one JSON object each. */
export const subprotocols: ReadonlySet<string> = new Set([
  'json.reliable.webpubsub.azure.v1',
  'json.webpubsub.azure.v1',
]);

/** Only the fields that every frame has; the handler of a type checks the others. */
const ClientFrame = z.looseObject({
  type: z.string(),
  ackId: z.optional(z.int().check(z.gte(0))),
});
export type ClientFrame = z.infer<typeof ClientFrame>;

export function readFrame(text: string): ClientFrame | null {
  try {
    const frame = ClientFrame.safeParse(JSON.parse(text));
    return frame.success ? frame.data : null;
  } catch {
    return null;
  }
}

export interface InvokeFailure {
  name: 'Forbidden' | 'Duplicate' | 'BadRequest' | 'NotSupported';
  message: string;
}

/** Without `reconnectionToken`, in both sub-protocols: README.md says why. */
export function connected({ user, id }: { user: number; id: string }): string {
  return JSON.stringify({ type: 'system', event: 'connected', userId: String(user), connectionId: id });
}

export function disconnected(message: string): string {
  return JSON.stringify({ type: 'system', event: 'disconnected', message });
}

export function ack(ackId: number, error?: InvokeFailure): string {
  return JSON.stringify({ type: 'ack', ackId, success: error === undefined, error });
}

export function invokeRefused(invocationId: unknown, error: InvokeFailure): string {
  return JSON.stringify({ type: 'invokeResponse', invocationId, success: false, error });
}

export function groupMessage(group: Group, data: GroupMessage): string {
  return JSON.stringify({ type: 'message', from: 'group', group, dataType: 'json', data });
}

export const pong = JSON.stringify({ type: 'pong' });
