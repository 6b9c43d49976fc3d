import type { Step } from '../platform/step.ts';

/** Notifies the driver of an operation, once per operation and kind. */
export type Notify = (
  step: Step,
  user: number,
  kind: 'idle' | 'idle_grace' | 'idle_fee' | 'station_lost' | 'stop_ignored' | 'site_full' | 'site_limit',
  about: { operation: number },
) => Promise<void>;
