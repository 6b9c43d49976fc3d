import { type Handler, knownMeterWh, samplesOf, type v16 } from '@fpay/ocpp';
import type { DeviceConnection } from '../device/connection.ts';
import type { DeviceEvents } from '../device/events.ts';
import { stampIn } from './stamp.ts';

/**
 * The charge has ended, so the stop is accepted. A tag is answered only if one was sent, because after a power cut
 * there is none.
 */
export const stopTransaction =
  (events: DeviceEvents): Handler<typeof v16.StopTransaction, DeviceConnection> =>
  async (request, { context, receivedAt, payload }) => {
    await events.transactionEnded(context, {
      ocppTransactionId: request.transactionId,
      idTag: request.idTag ?? null,
      meterStopWh: knownMeterWh(request.meterStop),
      reason: request.reason ?? 'Local',
      deviceAt: Date.parse(request.timestamp),
      stamp: stampIn(payload),
      samples: samplesOf(request.transactionData ?? []).samples,
      receivedAt,
    });
    return request.idTag === undefined ? {} : { idTagInfo: { status: 'Accepted' } };
  };
