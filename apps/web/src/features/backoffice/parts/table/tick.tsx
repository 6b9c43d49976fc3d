interface TickProps {
  label: string;
  isTicked: boolean;
  onTick: (isTicked: boolean) => void;
}

/** Above the link of its row. The label makes it as high as the row. */
export function Tick({ label, isTicked, onTick }: TickProps) {
  return (
    <label className="relative z-10 flex h-9 cursor-pointer items-center">
      <input
        type="checkbox"
        aria-label={label}
        checked={isTicked}
        onChange={({ target }) => onTick(target.checked)}
        className="size-4 accent-free-fill"
      />
    </label>
  );
}
