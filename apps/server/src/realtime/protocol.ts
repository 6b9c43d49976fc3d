import { ack, type ClientFrame, type InvokeFailure, invokeRefused, pong } from './frames.ts';
import type { Group } from './group.ts';

/** The part of a connection that requests of its client may change. */
export interface Member {
  readonly rights: ReadonlySet<Group>;
  readonly done: RecentAcks;
  join(group: Group): void;
  leave(group: Group): void;
}

/** The answer to a frame, or null where the protocol has none. */
export function answer(frame: ClientFrame, member: Member): string | null {
  if (frame.type === 'ping') return pong;
  if (frame.type === 'invoke') return invokeRefused(frame.invocationId, listensOnly);

  const { ackId } = frame;
  if (ackId !== undefined && member.done.has(ackId)) return ack(ackId, duplicate);
  const outcome = (requests.get(frame.type) ?? notSupported)(frame, member);
  if (ackId === undefined) return null;
  // A refusal is not remembered, because the official client treats `Duplicate` as success and its repeat would get
  // that answer.
  if (outcome === 'done') member.done.add(ackId);
  return outcome === 'done' ? ack(ackId) : ack(ackId, outcome);
}

type Outcome = 'done' | InvokeFailure;
type Request = (frame: ClientFrame, member: Member) => Outcome;

const duplicate: InvokeFailure = { name: 'Duplicate', message: 'This request was already done' };
const noGroup: InvokeFailure = { name: 'BadRequest', message: 'The request names no group' };
const notGranted: InvokeFailure = { name: 'Forbidden', message: 'The token does not grant this group' };
const listensOnly: InvokeFailure = {
  name: 'Forbidden',
  message: 'Clients listen here; they change things through the API',
};

/** A Map, because the type comes from outside: `constructor` and the like are not requests. */
const requests: ReadonlyMap<string, Request> = new Map([
  ['joinGroup', forGrantedGroup((group, member) => member.join(group))],
  ['leaveGroup', forGrantedGroup((group, member) => member.leave(group))],
  ['sendToGroup', () => listensOnly],
  ['event', () => listensOnly],
]);

/** Streams and group state of newer clients, `sequenceAck` for numbers that we never assign, and future types. */
const notSupported: Request = ({ type }) => ({
  name: 'NotSupported',
  message: `This hub does not know ${type.slice(0, 40)}`,
});

function forGrantedGroup(act: (group: Group, member: Member) => void): Request {
  return ({ group }, member) => {
    if (typeof group !== 'string') return noGroup;
    if (!member.rights.has(group)) return notGranted;
    act(group, member);
    return 'done';
  };
}

/** The last requests done on one connection; the oldest is dropped first. */
export class RecentAcks {
  readonly #ids = new Set<number>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  has(ackId: number): boolean {
    return this.#ids.has(ackId);
  }

  add(ackId: number): void {
    this.#ids.add(ackId);
    if (this.#ids.size <= this.#most) return;
    for (const oldest of this.#ids) {
      this.#ids.delete(oldest);
      return;
    }
  }
}
