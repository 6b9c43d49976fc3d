import type { Endpoint } from '@fpay/contract/endpoint';
import { can } from '@fpay/contract/roles';
import { Refusal } from '../refusal.ts';
import type { Viewer } from './session.ts';

/** Whether this caller may make the call; the contract says who. */
export function checkAccess({ access }: Pick<Endpoint, 'access'>, viewer: Viewer | null): void {
  if (access === 'anyone') return;
  if (!viewer) throw new Refusal('unauthenticated');
  if (viewer.role === 'Banned') throw new Refusal('banned');
  if (access === 'signed-in') return;
  if (!access.every((permission) => can(viewer.role, permission))) throw new Refusal('forbidden');
}
