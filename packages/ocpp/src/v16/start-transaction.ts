import { idTag } from '../id-tag.ts';
import { message } from '../message.ts';
import { object, optional, orNull } from '../schema.ts';
import { identifier, instant, integer } from '../values.ts';
import { idTagInfo } from './id-tag-info.ts';
import { meterWh } from './transaction.ts';

/** Reports a fact and does not ask for permission, so it is refused only when both connector and tag are missing. */
export const StartTransaction = message({
  action: 'StartTransaction',
  sentBy: 'chargePoint',
  isOrdered: true,
  request: object(
    {
      connectorId: orNull(identifier({ min: 1 })),
      idTag: orNull(idTag()),
      meterStart: orNull(meterWh),
      timestamp: instant(),
      reservationId: optional(integer()),
    },
    { needsOneOf: ['connectorId', 'idTag'] },
  ),
  response: object({ idTagInfo, transactionId: integer() }),
});
