import assert from 'node:assert/strict';
import type { Device, Session, Viewer } from '../platform/http/session.ts';
import type { Asker } from './phone-codes.ts';

interface Caller {
  viewer: Viewer | null;
  session: Session | null;
  device: Device;
}

/** Mutating calls always have a session: the platform refuses them without its token. */
export function askerOf({ viewer, session, device }: Caller): Asker {
  assert(session, 'a signed call without a session');
  return { viewer, session: session.owner, device };
}
