import type { MaintenanceState } from '@fpay/contract/maintenance';

export interface Shutdown {
  startTime: Date;
  endTime: Date | null;
  text: string | null;
}

/** Down from `startTime` until `endTime`, or until staff turn the service on. */
export function isDownAt(shutdown: Shutdown | null, now: Date): boolean {
  return shutdown !== null && shutdown.startTime <= now && (shutdown.endTime === null || shutdown.endTime > now);
}

export function maintenanceStateAt(shutdown: Shutdown | null, now: Date): MaintenanceState {
  if (!shutdown || !isDownAt(shutdown, now)) return { is_down: false, start_time: null, end_time: null, text: null };
  return {
    is_down: true,
    start_time: shutdown.startTime.toISOString(),
    end_time: shutdown.endTime?.toISOString() ?? null,
    text: shutdown.text,
  };
}
