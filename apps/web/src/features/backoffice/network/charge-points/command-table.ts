import Cpu from 'lucide-react/icons/cpu';
import Eraser from 'lucide-react/icons/eraser';
import FileDown from 'lucide-react/icons/file-down';
import LockOpen from 'lucide-react/icons/lock-open';
import Power from 'lucide-react/icons/power';
import Radio from 'lucide-react/icons/radio';
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import ToggleLeft from 'lucide-react/icons/toggle-left';
import type { TextKey } from '../../../../i18n/text-key.ts';

/** Commands with a popup of their own; the configuration has a page of keys instead. */
export const deviceCommandNames = [
  'trigger',
  'unlock',
  'availability',
  'clearCache',
  'diagnostics',
  'firmware',
  'softReset',
  'hardReset',
] as const;
export type DeviceCommandName = (typeof deviceCommandNames)[number];

interface CommandView {
  icon: typeof Cpu;
  label: TextKey;
  /** What happens at the device. */
  effect: TextKey;
  needs: 'interact-with-stations' | 'manage-network';
  isDanger?: boolean;
}

export const deviceCommandViews = {
  trigger: {
    icon: Radio,
    label: 'networkChargePoints:trigger',
    effect: 'networkChargePoints:triggerEffect',
    needs: 'interact-with-stations',
  },
  unlock: {
    icon: LockOpen,
    label: 'networkChargePoints:unlock',
    effect: 'networkChargePoints:unlockEffect',
    needs: 'interact-with-stations',
  },
  availability: {
    icon: ToggleLeft,
    label: 'networkChargePoints:availability',
    effect: 'networkChargePoints:availabilityEffect',
    needs: 'interact-with-stations',
  },
  clearCache: {
    icon: Eraser,
    label: 'networkChargePoints:clearCache',
    effect: 'networkChargePoints:clearCacheEffect',
    needs: 'interact-with-stations',
  },
  diagnostics: {
    icon: FileDown,
    label: 'networkChargePoints:diagnostics',
    effect: 'networkChargePoints:diagnosticsEffect',
    needs: 'manage-network',
  },
  firmware: {
    icon: Cpu,
    label: 'networkChargePoints:firmwareUpdate',
    effect: 'networkChargePoints:firmwareEffect',
    needs: 'manage-network',
  },
  softReset: {
    icon: RotateCcw,
    label: 'networkChargePoints:softReset',
    effect: 'networkChargePoints:softResetEffect',
    needs: 'interact-with-stations',
  },
  hardReset: {
    icon: Power,
    label: 'networkChargePoints:hardReset',
    effect: 'networkChargePoints:hardResetEffect',
    needs: 'interact-with-stations',
    isDanger: true,
  },
} as const satisfies Record<DeviceCommandName, CommandView>;
