import { useQuery } from '@tanstack/react-query';
import Lock from 'lucide-react/icons/lock';
import MapIcon from 'lucide-react/icons/map';
import MapPinOff from 'lucide-react/icons/map-pin-off';
import ScanLine from 'lucide-react/icons/scan-line';
import { type ReactNode, useState } from 'react';
import { useText } from '../../../i18n/use-text.ts';
import { Link, useNavigate } from '../../../router/index.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { MainButton } from '../../../ui/form/main-button.tsx';
import { classNames } from '../../../ui/hooks/class-names.ts';
import { Dock } from '../../../ui/layout/dock.tsx';
import { alternativesQuery } from '../free-alert/alternatives.ts';
import { FreeNearby } from '../free-alert/free-nearby.tsx';

/** Passed in the history to the page for an address that does not exist. */
export interface MissingStation {
  station: string;
  isClosed: boolean;
}

/** A station that does not exist, or that is not for this driver, with the next step for a driver at a charger. */
export function StationMissing({ station, isClosed }: MissingStation) {
  return isClosed ? <Closed number={station} /> : <Unknown number={station} />;
}

function Unknown({ number }: { number: string }) {
  const text = useText();
  const navigate = useNavigate();
  const [typed, setTyped] = useState(number);
  const { data } = useQuery(alternativesQuery(number));
  return (
    <form
      className="flex flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = typed.trim().toUpperCase();
        if (wanted !== '' && wanted !== number) void navigate(`/station/${encodeURIComponent(wanted)}`);
      }}
    >
      <Body
        icon={<MapPinOff size={56} strokeWidth={1.5} />}
        look="bg-surface-2 text-ink"
        title={text('payment:unknown', { number })}
      >
        <div className="mt-4 w-full text-left">
          <Field
            label={text('payment:numberLabel')}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            hint={text('payment:unknownText')}
            error={typed.trim().toUpperCase() === number ? text('payment:unknownText') : undefined}
            autoCapitalize="characters"
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="go"
            maxLength={12}
          />
          {data && data.similar.length > 0 && (
            <p className="mt-2 flex flex-wrap items-center gap-x-3 text-note text-ink-2">
              {text('payment:didYouMean')}
              {data.similar.map((similar) => (
                <Link
                  key={similar}
                  to={`/station/${similar}`}
                  className="flex min-h-11 items-center rounded-control font-bold text-accent-text"
                >
                  {similar}
                </Link>
              ))}
            </p>
          )}
        </div>
      </Body>
      <Dock>
        <MainButton type="submit">{text('payment:openStation')}</MainButton>
        <Button to="/qr" icon={<ScanLine aria-hidden="true" size={20} />}>
          {text('payment:scan')}
        </Button>
      </Dock>
    </form>
  );
}

function Closed({ number }: { number: string }) {
  const text = useText();
  const { data } = useQuery(alternativesQuery(number));
  const nearest = data?.free[0];
  return (
    <>
      <Body
        icon={<Lock size={56} strokeWidth={1.5} />}
        look="bg-promo-tint text-promo"
        title={text('payment:closed')}
        about={text('payment:closedText', { number })}
      >
        <FreeNearby free={data?.free ?? []} title={text('payment:freeNearby')} />
      </Body>
      <Dock>
        {nearest && (
          <MainButton to={`/station/${nearest.number}`}>{text('payment:goTo', { number: nearest.number })}</MainButton>
        )}
        <Button to="/map" icon={<MapIcon aria-hidden="true" size={20} />}>
          {text('generic:toMap')}
        </Button>
      </Dock>
    </>
  );
}

interface BodyProps {
  icon: ReactNode;
  look: string;
  title: string;
  about?: string;
  children: ReactNode;
}

function Body({ icon, look, title, about, children }: BodyProps) {
  return (
    <div className="flex flex-1 flex-col items-center gap-2 px-4 pt-4 pb-8 text-center">
      <span aria-hidden="true" className={classNames('grid size-28 shrink-0 place-items-center rounded-full', look)}>
        {icon}
      </span>
      <h1 className="mt-4 text-h1 text-balance">{title}</h1>
      {about && <p className="mb-4 max-w-[24rem] text-body text-ink-2 text-pretty">{about}</p>}
      {children}
    </div>
  );
}
