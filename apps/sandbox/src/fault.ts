import type { FastifyReply } from 'fastify';
import * as z from 'zod/mini';
import type { Clock } from './clock.ts';

/** How a call can go wrong on purpose. `done`: the deed is done although the caller hears nothing good of it. */
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
  /** For `refused`: the code to refuse with. */
  code: z._default(z.string().check(z.maxLength(64)), ''),
  /** How many calls go wrong before all is well again; null: until switched off. */
  times: z._default(z.nullable(z.int().check(z.positive(), z.maximum(1_000_000))), null),
});
export type Fault = z.infer<typeof FaultObject>;
export const faultOff: Fault = { kind: 'off', code: '', times: null };

/** A bare kind will do; so will `refused:CODE`, and `kind x3` for three times, which is what a form can say. */
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

/** The same the other way round, for the page. */
export function faultText({ kind, code, times }: Fault): string {
  return `${kind}${code ? `:${code}` : ''}${times ? ` x${times}` : ''}`;
}

/** Connections that are kept waiting on purpose, so that a stopping sandbox can let go of them. */
export interface Silence {
  /** Never answers; the connection breaks after `ms`. */
  keep(reply: FastifyReply, ms: number): FastifyReply;
  breakAll(): void;
}

export function createSilence(clock: Clock): Silence {
  const kept = new Set<() => void>();
  return {
    keep(reply, ms) {
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

/** What a proxy in front of a broken service sends: the right status, and not a word of JSON. */
export const garbage = '<html><head><title>502 Bad Gateway</title></head><body>upstream sent too big header</body>';
