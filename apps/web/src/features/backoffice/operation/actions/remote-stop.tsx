import { remoteStopAction } from '@fpay/contract/admin/actions/remote-stop';
import { stationCommand } from '@fpay/contract/admin/actions/station-command';
import CircleX from 'lucide-react/icons/circle-x';
import { call } from '../../../../api/call.ts';
import { actionView } from '../action-view.ts';
import { stationText } from '../station-result.ts';

export const remoteStopView = actionView({
  record: remoteStopAction,
  Icon: CircleX,
  label: 'adminOperations:remoteStop',
  group: 'station',
  isForced: true,
  async perform({ charge_point_id: chargePointId, transaction_id: transactionId }) {
    // The preview refuses an operation without a transaction, so a missing one here is a bug.
    if (transactionId === null) throw new Error('The operation has no transaction');
    return call(stationCommand, {
      body: { command: 'remotestoptransaction', payload: { chargePointId, transactionId } },
    });
  },
  resultText: stationText,
});
