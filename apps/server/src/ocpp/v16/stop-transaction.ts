import { type Handler, samplesOf, type v16 } from '@fpay/ocpp';
import type { Connection } from '../connection.ts';
import type { DeviceEvents } from '../events.ts';
import { stampIn } from './stamp.ts';

/** It is over, so it is accepted. A tag is answered only where one was given: a power cut has none. */
export const stopTransaction =
  (events: DeviceEvents): Handler<typeof v16.StopTransaction, Connection> =>
  async (request, { context, receivedAt, payload }) => {
    await events.sessionEnded(context, {
      ocppTransactionId: request.transactionId,
      idTag: request.idTag ?? null,
      meterStopWh: request.meterStop,
      reason: request.reason ?? 'Local',
      deviceAt: Date.parse(request.timestamp),
      stamp: stampIn(payload),
      samples: samplesOf(request.transactionData ?? []).samples,
      receivedAt,
    });
    return request.idTag === undefined ? {} : { idTagInfo: { status: 'Accepted' } };
  };
