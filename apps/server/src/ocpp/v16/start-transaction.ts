import type { Handler, v16 } from '@fpay/ocpp';
import type { Connection } from '../connection.ts';
import type { DeviceEvents } from '../events.ts';
import { stampIn } from './stamp.ts';

/** Always an id, also for a tag nobody knows: silence or an error only makes the device repeat it and hold back the rest. */
export const startTransaction =
  (events: DeviceEvents): Handler<typeof v16.StartTransaction, Connection> =>
  async ({ connectorId, idTag, meterStart, timestamp }, { context, receivedAt, payload }) => {
    const { ocppTransactionId, status } = await events.sessionStarted(context, {
      ocppConnector: connectorId,
      idTag,
      meterStartWh: meterStart,
      deviceAt: Date.parse(timestamp),
      stamp: stampIn(payload),
      receivedAt,
    });
    return { transactionId: ocppTransactionId, idTagInfo: { status } };
  };
