import type { OperationAction } from '@fpay/contract/admin/operation-actions';
import type { Permission } from '@fpay/contract/roles';
import Ban from 'lucide-react/icons/ban';
import CheckCheck from 'lucide-react/icons/check-check';
import CircleX from 'lucide-react/icons/circle-x';
import Flag from 'lucide-react/icons/flag';
import LockOpen from 'lucide-react/icons/lock-open';
import Play from 'lucide-react/icons/play';
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import Shuffle from 'lucide-react/icons/shuffle';
import Square from 'lucide-react/icons/square';
import Undo2 from 'lucide-react/icons/undo-2';
import Zap from 'lucide-react/icons/zap';
import type { TextKey } from '../../../i18n/text-key.ts';

interface ActionView {
  Icon: typeof Ban;
  label: TextKey;
  /** Beside the page's own; the server checks it again. */
  needs: Permission;
  /** It overrides what the product decided by itself. */
  isForced?: boolean;
}

export const actionViews = {
  soft_start: { Icon: Play, label: 'admin:softStart', needs: 'manipulate-operations' },
  soft_stop: { Icon: Square, label: 'admin:softStop', needs: 'manipulate-operations' },
  soft_cancel: { Icon: Ban, label: 'admin:softCancel', needs: 'manipulate-operations' },
  finish: { Icon: Flag, label: 'admin:finish', needs: 'manipulate-operations' },
  finalize: { Icon: CheckCheck, label: 'admin:finalize', needs: 'manipulate-payments' },
  cancel_hold: { Icon: LockOpen, label: 'admin:cancelHold', needs: 'manipulate-payments' },
  cancel_payment: { Icon: Undo2, label: 'admin:cancelPayment', needs: 'manipulate-payments', isForced: true },
  force_status: { Icon: Shuffle, label: 'admin:forceStatus', needs: 'manipulate-operations', isForced: true },
  force_hold: { Icon: Shuffle, label: 'admin:forceHold', needs: 'manipulate-payments', isForced: true },
  force_energy: { Icon: Zap, label: 'admin:forceEnergy', needs: 'manipulate-operations', isForced: true },
  reset: { Icon: RotateCcw, label: 'admin:resetStation', needs: 'interact-with-stations' },
  remote_stop: { Icon: CircleX, label: 'admin:remoteStop', needs: 'interact-with-stations', isForced: true },
} as const satisfies Record<OperationAction, ActionView>;

export const actionGroups = [
  { title: 'admin:groupSoft', actions: ['soft_start', 'soft_stop', 'soft_cancel', 'finish'] },
  { title: 'admin:groupPayment', actions: ['finalize', 'cancel_hold', 'cancel_payment'] },
  { title: 'admin:groupForce', actions: ['force_status', 'force_hold', 'force_energy'] },
  { title: 'admin:groupStation', actions: ['reset', 'remote_stop'] },
] as const satisfies readonly { title: TextKey; actions: readonly OperationAction[] }[];
