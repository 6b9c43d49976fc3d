import * as z from 'zod/mini';
import type { Endpoint } from '../../endpoint.ts';
import type { Permission } from '../../roles.ts';
import { Id } from '../../wire.ts';
import type { ReasonKind } from '../reasons.ts';

type Shape = z.core.$ZodLooseShape;
type NoFields = Record<never, never>;

/** A call that needs one permission beside the page's own. */
export type ActionEndpoint = Endpoint & { access: readonly ['access-admin-page', Permission] };

interface Given<Name extends string, E extends ActionEndpoint, Fields extends Shape> {
  name: Name;
  endpoint: E;
  /** What the action needs beside its name; most need nothing. */
  fields?: Fields;
  /** The reasons that it is offered; without it the page asks for none. Its call then takes `withReason`. */
  reasons?: ReasonKind;
}

/**
 * What server and web know of an action of staff on an operation. The list of actions, their permissions, the body of the preview, the
 * routes and the buttons are made from these records.
 */
export function operationAction<
  const Name extends string,
  const E extends ActionEndpoint,
  Fields extends Shape = NoFields,
>({ name, endpoint, fields, reasons }: Given<Name, E, Fields>) {
  return {
    name,
    endpoint,
    reasons: reasons ?? null,
    permission: endpoint.access[1] as E['access'][1],
    /** The action with what it needs, as the preview gets it. */
    request: z.object({ action: z.literal(name), ...(fields as Fields) }),
  };
}

export const ofOperations = ['access-admin-page', 'manipulate-operations'] as const;
export const ofPayments = ['access-admin-page', 'manipulate-payments'] as const;
export const ofStations = ['access-admin-page', 'interact-with-stations'] as const;

/** Part of an answer. An action above the limit of staff has done nothing yet: it waits for approval under this id. */
export const waiting = { approval_id: z.nullable(Id) };
