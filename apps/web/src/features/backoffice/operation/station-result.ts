import type { stationCommand } from '@fpay/contract/admin/actions/station-command';
import type { ReplyOf } from '@fpay/contract/endpoint';
import { text } from '../../../i18n/i18n.ts';
import type { TextKey } from '../../../i18n/text-key.ts';

type StationAnswer = ReplyOf<typeof stationCommand>;

const outcomes = {
  answered: 'adminOperations:commandAnswered',
  error: 'adminOperations:commandError',
  timeout: 'adminOperations:commandTimeout',
  offline: 'adminOperations:commandOffline',
  unknown: 'adminOperations:commandUnknown',
} as const satisfies Record<StationAnswer['outcome'], TextKey>;

/** The answer of the charge point, or why there is none. */
export const stationText = ({ outcome, status }: StationAnswer) => text(outcomes[outcome], { status: status ?? '' });
