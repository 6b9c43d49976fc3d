import { sql } from 'kysely';
import type { AwaitedOperation, BegunOperation, ChargingPort } from '../../ocpp/device/charging-port.ts';
import { preparedStatementMarker } from '../../platform/database.ts';
import type { LimitWatch } from '../limit/limit-watch.ts';
import type { Transitions } from '../moves/transition.ts';

interface Dependencies {
  transitions: Pick<Transitions, 'powerFlows'>;
  limitWatch: Pick<LimitWatch, 'firstPlan'>;
}

/**
 * The usual start, many at once: the operation waits in `starting` and its device begins at its connector. An open operation
 * has its connector to itself, so there is no idle time to end and no forgotten charge to close. Everything else is decided
 * by `transactionStarted`.
 */
export function createAwaitedStarts({
  transitions,
  limitWatch,
}: Dependencies): Pick<ChargingPort, 'awaitedOperations' | 'operationsBegun'> {
  return {
    async awaitedOperations(step, idTags) {
      const { rows } = await sql<AwaitedOperation>`${sql.raw(preparedStatementMarker)}
        select id as "operationId", charge_point_id as "chargePointId", connector_id as "connectorId", id_tag as "idTag",
          energy_limit_wh as "energyLimitWh", created_at as "createdAt"
        from operations where id_tag = any(${[...idTags]}::text[]) and status = 'starting'
        order by id for update skip locked`.execute(step.db);
      return rows;
    },

    async operationsBegun(step, begun) {
      const planOf = ({ energyLimitWh, ratedW, receivedAt, startedAt }: BegunOperation) =>
        limitWatch.firstPlan(step, { limit: energyLimitWh, ratedW, receivedAt, startedAt });
      await transitions.powerFlows(
        step,
        begun.map((one) => ({ ...one, plan: planOf(one) })),
      );
    },
  };
}
