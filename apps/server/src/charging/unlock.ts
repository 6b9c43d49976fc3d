import { isOpen, type UnlockOutcome } from '@fpay/contract/charging';
import type { CommandOutcome } from '../ocpp/commands/command.ts';
import type { Commands } from '../ocpp/commands/service.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Steps } from '../platform/step.ts';
import { findConnector } from '../stations/connectors.ts';
import type { OperationStore } from './store.ts';

interface Dependencies {
  db: Database;
  operations: OperationStore;
  steps: Steps;
  commands: Pick<Commands, 'send'>;
  clock: Clock;
}

/**
 * Requests the device to unlock the driver's cable and returns its answer. Refuses `not_found`, `operation_open`, and
 * `connector_taken` when another user charges there since.
 */
export type Unlock = (user: number, id: number) => Promise<UnlockOutcome>;

/** Later another driver's car may be at this cable. */
const offeredForMs = 30 * 60_000;

const outcomeOf: Record<string, UnlockOutcome> = { Unlocked: 'unlocked', NotSupported: 'not_supported' };

/** A driver whose cable stays locked after the end can request an unlock; the device's answer is returned. */
export function createUnlock({ db, operations, steps, commands, clock }: Dependencies): Unlock {
  async function checked(user: number, id: number) {
    const operation = (await operations.ownerOf(id)) === user ? await operations.find(id) : null;
    if (!operation) throw new Refusal('not_found');
    // A cable that stays locked after the end must not cost an idle fee.
    if (isOpen(operation.status) && operation.chargeEndedAt === null) throw new Refusal('operation_open');
    const row = await db
      .selectFrom('operations')
      .select(['finished_at', 'closed_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const endedAt = row.finished_at ?? row.closed_at ?? operation.createdAt;
    if (clock.now().getTime() - endedAt.getTime() > offeredForMs) throw new Refusal('not_found');
    const next = await db
      .selectFrom('operations')
      .select('id')
      .where('connector_id', '=', operation.connector)
      .where('id', '>', id)
      .executeTakeFirst();
    if (next) throw new Refusal('connector_taken');
    const { ocppConnector } = await findConnector(db, operation.connector);
    return { operation, ocppConnector };
  }

  const said = ({ status, answer }: CommandOutcome): UnlockOutcome =>
    status === 'offline' ? 'offline' : (outcomeOf[String(answer?.status)] ?? 'failed');

  return async function unlock(user: number, id: number): Promise<UnlockOutcome> {
    const { operation, ocppConnector } = await checked(user, id);
    const outcome = await commands.send({
      chargePointId: operation.chargePoint,
      action: 'UnlockConnector',
      payload: { connectorId: ocppConnector },
      operationId: id,
    });
    const became = said(outcome);
    await steps.run((step) => operations.note(step, id, 'driver', `asked to unlock the cable: ${became}`));
    return became;
  };
}
