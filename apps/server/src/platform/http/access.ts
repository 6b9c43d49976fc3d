import type { Endpoint } from '@fpay/contract/endpoint';
import { can } from '@fpay/contract/roles';
import { Refusal } from '../refusal.ts';
import type { Viewer } from './session.ts';

/** Whether this caller may make the call; the contract says who. */
type Declared = Pick<Endpoint, 'access' | 'beforeConfirmation'>;

export function checkAccess({ access, beforeConfirmation }: Declared, viewer: Viewer | null): void {
  if (access === 'anyone') return;
  if (!viewer) throw new Refusal('unauthenticated');
  if (viewer.role === 'Banned') throw new Refusal('banned');
  if (viewer.unconfirmedSince && !beforeConfirmation) throw new Refusal('confirmation_required');
  if (access === 'signed-in') return;
  if (!access.every((permission) => can(viewer.role, permission))) throw new Refusal('forbidden');
}
