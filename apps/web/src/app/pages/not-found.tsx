import MapPinOff from 'lucide-react/icons/map-pin-off';
import { isRegistered, useUser } from '../../features/account/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { MainButton } from '../../ui/form/main-button.tsx';
import { Dock } from '../../ui/layout/dock.tsx';

export function Page() {
  const text = useText();
  const hasAccount = isRegistered(useUser());
  return (
    <>
      <div className="flex flex-1 flex-col items-center justify-center px-4 py-8 text-center">
        <span aria-hidden="true" className="mb-6 grid size-28 place-items-center rounded-full bg-surface-2">
          <MapPinOff size={52} strokeWidth={1.5} />
        </span>
        <h1
          className="text-[6rem] leading-none font-extrabold tracking-[-0.045em]"
          data-title={text('generic:notFound')}
        >
          404
        </h1>
        <p className="mt-4 max-w-[20rem] text-body text-ink-2 text-pretty">{text('generic:notFound')}</p>
      </div>
      <Dock>
        <MainButton to={hasAccount ? '/account' : '/map'}>
          {hasAccount ? text('generic:toAccount') : text('generic:toMap')}
        </MainButton>
      </Dock>
    </>
  );
}
