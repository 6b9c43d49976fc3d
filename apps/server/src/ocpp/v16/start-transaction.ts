import { type Handler, knownMeterWh, type v16 } from '@fpay/ocpp';
import type { DeviceConnection } from '../device/connection.ts';
import type { DeviceEvents } from '../device/events.ts';
import { stampIn } from './stamp.ts';

/**
 * Always answers with an id, also for an unknown tag, because without an answer the device repeats it and holds back
 * its other messages.
 */
export const startTransaction =
  (events: DeviceEvents): Handler<typeof v16.StartTransaction, DeviceConnection> =>
  async ({ connectorId, idTag, meterStart, timestamp }, { context, receivedAt, payload }) => {
    const { ocppTransactionId, status } = await events.transactionStarted(context, {
      ocppConnector: connectorId,
      idTag,
      meterStartWh: knownMeterWh(meterStart),
      deviceAt: Date.parse(timestamp),
      stamp: stampIn(payload),
      receivedAt,
    });
    return { transactionId: ocppTransactionId, idTagInfo: { status } };
  };
