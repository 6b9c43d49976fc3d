import { type Handler, samplesOf, type v16 } from '@fpay/ocpp';
import type { DeviceConnection } from '../device/connection.ts';
import type { DeviceEvents } from '../device/events.ts';

/** Never refused. Readings that belong to no charge, or are empty, are answered and ignored. */
export const meterValues =
  (events: DeviceEvents): Handler<typeof v16.MeterValues, DeviceConnection> =>
  ({ connectorId, transactionId, meterValue }, { context, receivedAt }) => {
    const { samples } = samplesOf(meterValue);
    if (samples.length === 0) return {};
    const ocppTransactionId = transactionId ?? null;
    const reported = { ocppConnector: connectorId, ocppTransactionId, samples, receivedAt };
    return events.samples(context, reported).then(empty);
  };

const empty = () => ({});
