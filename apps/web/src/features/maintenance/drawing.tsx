import Wrench from 'lucide-react/icons/wrench';

/** Two plugs that are about to be connected again. */
export function MaintenanceDrawing() {
  return (
    <div
      aria-hidden="true"
      data-testid="maintenance-drawing"
      className="relative mx-auto w-full max-w-[min(342px,42dvh)] [@media(max-height:700px)]:max-w-[30dvh]"
    >
      <svg aria-hidden="true" viewBox="0 0 342 250" className="w-full text-ink">
        <circle cx="171" cy="125" r="123" className="fill-occupied-tint" />
        <g className="animate-reach-right" fill="none" stroke="currentColor" strokeWidth="9">
          <path d="M-8 159H66c14 0 22-9 22-22s10-21 22-21h8" />
          <rect x="117" y="85" width="42" height="60" rx="14" fill="currentColor" stroke="none" />
          <path d="M159 101h16M159 129h16" strokeLinecap="round" />
        </g>
        <g className="animate-reach-left" fill="none" stroke="var(--free-fill)" strokeWidth="9">
          <path d="M350 159h-32c-14 0-22-9-22-22s-10-21-22-21h-14" />
          <path
            d="M226 85h20a14 14 0 0 1 14 14v32a14 14 0 0 1-14 14h-20a14 14 0 0 1-14-14v-32a14 14 0 0 1 14-14Z"
            fill="var(--free-fill)"
            stroke="none"
          />
          <path d="M212 101h9M212 129h9" className="stroke-occupied-tint" strokeLinecap="round" />
        </g>
        <g
          className="animate-spark fill-occupied-fill stroke-occupied-fill [transform-box:fill-box] [transform-origin:center]"
          strokeWidth="6"
          strokeLinecap="round"
        >
          <path d="m182 72 5 13M187 145l-5 13" fill="none" />
          <circle cx="197" cy="115" r="3" stroke="none" />
        </g>
      </svg>
      <span className="absolute right-[26%] bottom-[8%] grid size-[50px] place-items-center rounded-full bg-surface">
        <Wrench size={26} />
      </span>
    </div>
  );
}
