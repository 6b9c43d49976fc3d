import { useText } from '../../i18n/use-text.ts';
import { classNames } from '../../ui/hooks/class-names.ts';

const corners = [
  'top-0 left-0 rounded-tl-[28px] border-t-6 border-l-6',
  'top-0 right-0 rounded-tr-[28px] border-t-6 border-r-6',
  'bottom-0 left-0 rounded-bl-[28px] border-b-6 border-l-6',
  'right-0 bottom-0 rounded-br-[28px] border-r-6 border-b-6',
];

/** The frame in which to hold the code. */
export function Viewfinder({ isLive }: { isLive: boolean }) {
  const text = useText();
  return (
    <>
      <div className="pt-[min(3rem,4dvh)]">
        <h1 className="text-h1 text-balance">{text('qr:title')}</h1>
        <p className="mt-1.5 text-body text-ink-2 text-balance">{text('qr:where')}</p>
      </div>
      <div className="grid flex-1 place-items-center py-6">
        <div aria-hidden="true" className="relative grid size-[min(17rem,62vw,38dvh)] place-items-center">
          {corners.map((corner) => (
            <span key={corner} className={classNames('absolute size-16 border-accent', corner)} />
          ))}
          {isLive && (
            <span className="h-[3px] w-5/6 animate-scan rounded-full bg-accent shadow-[0_0_36px_6px_color-mix(in_srgb,var(--accent)_55%,transparent)]" />
          )}
        </div>
        <p role="status" className="sr-only">
          {isLive ? text('qr:looking') : text('qr:starting')}
        </p>
      </div>
    </>
  );
}
