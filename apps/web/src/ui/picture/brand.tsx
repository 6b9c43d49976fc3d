/** The logo and the network's name, which is a setting. */
export function Brand({ name }: { name: string }) {
  return (
    <span className="inline-flex items-center gap-2 text-[1.25rem] leading-[1.4] font-extrabold tracking-tight">
      <svg viewBox="0 0 48 48" width="32" height="32" aria-hidden="true">
        <path
          fill="currentColor"
          d="M11 42a3.5 3.5 0 0 1-3.5-3.5V12.5A6.5 6.5 0 0 1 14 6h22a3.5 3.5 0 0 1 0 7H16.5a2 2 0 0 0-2 2v23.5A3.5 3.5 0 0 1 11 42ZM13 21.8h9.5v6.4H13Z"
        />
        <path
          className="fill-accent"
          d="M30.2 14.4Q32.2988 22.9012 40.8 25Q32.2988 27.0988 30.2 35.6Q28.1012 27.0988 19.6 25Q28.1012 22.9012 30.2 14.4Z"
        />
      </svg>
      {name}
    </span>
  );
}
