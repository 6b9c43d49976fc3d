interface ProgressBarProps {
  label: string;
  /** 0 to 100; more is shown as full. */
  percent: number;
}

export function ProgressBar({ label, percent }: ProgressBarProps) {
  const shown = Math.round(Math.min(100, Math.max(0, percent)));
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={shown}
      className="h-2.5 overflow-hidden rounded-full bg-surface-2"
    >
      <div className="h-full rounded-full bg-occupied-fill" style={{ width: `${shown}%` }} />
    </div>
  );
}
