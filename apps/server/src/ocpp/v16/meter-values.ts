import { type Handler, samplesOf, type v16 } from '@fpay/ocpp';
import type { Connection } from '../connection.ts';
import type { DeviceEvents } from '../events.ts';

/** Never refused. What belongs to no charge, or has nothing in it, is answered without a word. */
export const meterValues =
  (events: DeviceEvents): Handler<typeof v16.MeterValues, Connection> =>
  ({ connectorId, transactionId, meterValue }, { context, receivedAt }) => {
    const { samples } = samplesOf(meterValue);
    if (samples.length === 0) return {};
    const ocppTransactionId = transactionId ?? null;
    const told = { ocppConnector: connectorId, ocppTransactionId, samples, receivedAt };
    return events.samples(context, told).then(empty);
  };

const empty = () => ({});
