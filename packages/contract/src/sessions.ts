import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Id, IdText, Instant } from './wire.ts';

/** A device on which the user is signed in. */
export const SignedInDevice = z.object({
  id: Id,
  /** Product names, for example Firefox and Windows; null when the device does not send them. */
  browser: z.nullable(z.string()),
  system: z.nullable(z.string()),
  /** The shortened network address at sign-in, for example 93.74.x.x. */
  network: z.nullable(z.string()),
  signed_in_at: Instant,
  /** Exact to a minute. */
  last_seen_at: Instant,
  /** True for the device that sent this request. */
  is_current: z.boolean(),
});
export type SignedInDevice = z.infer<typeof SignedInDevice>;

export const getSessions = endpoint({
  method: 'GET',
  path: '/api/user/sessions',
  summary: 'Where the caller is signed in, this device first, then by last use; at most 50',
  access: ['access-account-page'],
  reply: z.object({ sessions: z.array(SignedInDevice) }),
  refusals: ['second_factor_required'],
});

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/user/sessions/:id',
  summary: "End one of the caller's sessions; its live connections close",
  access: ['access-account-page'],
  params: z.object({ id: IdText }),
  refusals: ['not_found', 'second_factor_required'],
});

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/api/user/sessions',
  summary: "End all of the caller's sessions but this one; no device is trusted any more",
  access: ['access-account-page'],
  refusals: ['second_factor_required'],
});
