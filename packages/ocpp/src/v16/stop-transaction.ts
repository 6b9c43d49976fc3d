import { idTag } from '../id-tag.ts';
import { message, type RequestOf } from '../message.ts';
import { list, object, optional, orNull } from '../schema.ts';
import { instant, oneOf } from '../values.ts';
import { idTagInfo } from './id-tag-info.ts';
import { meterValue } from './meter-value.ts';
import { meterWh, transactionId } from './transaction.ts';

/** A stop cannot be refused, because the charge is over. Only one without any identification is rejected. */
export const StopTransaction = message({
  action: 'StopTransaction',
  sentBy: 'chargePoint',
  isOrdered: true,
  request: object(
    {
      transactionId: orNull(transactionId),
      meterStop: orNull(meterWh),
      timestamp: instant(),
      idTag: optional(idTag()),
      /** When omitted, the reason is `Local`. */
      reason: optional(
        oneOf(
          [
            'DeAuthorized',
            'EmergencyStop',
            'EVDisconnected',
            'HardReset',
            'Local',
            'Other',
            'PowerLoss',
            'Reboot',
            'Remote',
            'SoftReset',
            'UnlockCommand',
          ],
          { unknown: 'Other' },
        ),
      ),
      transactionData: optional(list(meterValue)),
    },
    { needsOneOf: ['transactionId', 'meterStop', 'idTag', 'transactionData'] },
  ),
  response: object({ idTagInfo: optional(idTagInfo) }),
});

export type StopReason = NonNullable<RequestOf<typeof StopTransaction>['reason']>;
