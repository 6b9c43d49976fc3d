import type { FastifyReply } from 'fastify';
import * as z from 'zod/mini';
import type { Clock } from './clock.ts';

/** How a call can fail on purpose. `done`: the action is carried out although the caller gets no success. */
export const faultKinds = [
  'off',
  'error500',
  'error500-done',
  'refused',
  'garbage',
  'no-answer',
  'no-answer-done',
] as const;

const FaultObject = z.object({
  kind: z.enum(faultKinds),
  /** The error code of a `refused` fault. */
  code: z._default(z.string().check(z.maxLength(64)), ''),
  /** How many calls fail before the fault ends; null means until it is switched off. */
  times: z._default(z.nullable(z.int().check(z.positive(), z.maximum(1_000_000))), null),
});
export type Fault = z.infer<typeof FaultObject>;
export const faultOff: Fault = { kind: 'off', code: '', times: null };

/** Also accepts a kind as text, `refused:CODE`, and `kind x3` for three times, because a form can only send text. */
export const Fault = z.union([
  FaultObject,
  z.pipe(
    z.string().check(z.regex(new RegExp(`^(${faultKinds.join('|')})(:[A-Za-z0-9_]{1,40})?( x[1-9][0-9]{0,5})?$`))),
    z.transform((text): Fault => {
      const [what = 'off', times] = text.split(' x');
      const [kind = 'off', code = ''] = what.split(':');
      return { kind: kind as Fault['kind'], code, times: times ? Number(times) : null };
    }),
  ),
]);

/** The reverse conversion, for the page. */
export function faultText({ kind, code, times }: Fault): string {
  return `${kind}${code ? `:${code}` : ''}${times ? ` x${times}` : ''}`;
}

/** Connections that are left open on purpose, so that a stopping sandbox can close them. */
export interface HeldConnections {
  /** Never answers; the connection breaks after `ms`. */
  hold(reply: FastifyReply, ms: number): FastifyReply;
  breakAll(): void;
}

export function createHeldConnections(clock: Clock): HeldConnections {
  const kept = new Set<() => void>();
  return {
    hold(reply, ms) {
      reply.hijack();
      const socket = reply.raw;
      const end = () => {
        cancel();
        kept.delete(end);
        socket.destroy();
      };
      const cancel = clock.after(ms, end);
      kept.add(end);
      socket.once('close', end);
      return reply;
    },
    breakAll: () => {
      for (const end of [...kept]) end();
    },
  };
}

/** What a proxy in front of a broken service sends: the right status without JSON. */
export const garbage = '<html><head><title>502 Bad Gateway</title></head><body>upstream sent too big header</body>';
