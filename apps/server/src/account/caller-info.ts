import assert from 'node:assert/strict';
import type { Device, Session, Viewer } from '../platform/http/session.ts';
import type { CallerInfo } from './codes/phone-codes.ts';

interface Caller {
  viewer: Viewer | null;
  session: Session | null;
  device: Device;
}

/** Mutating calls always have a session, because the platform refuses them without its token. */
export function callerInfoOf({ viewer, session, device }: Caller): CallerInfo {
  assert(session, 'a signed call without a session');
  return { viewer, session: session.owner, device };
}
