import { message } from '../message.ts';
import { formerly, list, object, optional, orElse, orNull } from '../schema.ts';
import { identifier } from '../values.ts';
import { meterValue } from './meter-value.ts';
import { nothing } from './nothing.ts';
import { transactionId } from './transaction.ts';

/**
 * Never refused, because its sender would repeat it forever and hold back the StopTransaction that is queued behind it.
 */
export const MeterValues = message({
  action: 'MeterValues',
  sentBy: 'chargePoint',
  isOrdered: true,
  // In OCPP 1.5 the readings were in `values`.
  request: formerly(
    object({
      connectorId: orNull(identifier({ min: 0 })),
      transactionId: optional(transactionId),
      meterValue: orElse(list(meterValue), []),
    }),
    { meterValue: ['values'] },
  ),
  response: nothing,
});
