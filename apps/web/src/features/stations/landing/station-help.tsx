import type { Connector } from '@fpay/contract/stations';
import { useQuery } from '@tanstack/react-query';
import Hourglass from 'lucide-react/icons/hourglass';
import MapIcon from 'lucide-react/icons/map';
import Phone from 'lucide-react/icons/phone';
import ScanLine from 'lucide-react/icons/scan-line';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { MainButton } from '../../../ui/form/main-button.tsx';
import { classNames } from '../../../ui/hooks/class-names.ts';
import { useSettings } from '../../settings/queries.ts';
import { alternativesQuery } from '../free-alert/alternatives.ts';
import { FreeNearby } from '../free-alert/free-nearby.tsx';

/** For a driver who cannot charge at this station now: the nearest free connectors with the way there, the scanner, the phone. */
export function StationHelp({ number }: { number: string }) {
  const text = useText();
  const { support_phone: phone } = useSettings();
  const { data } = useQuery(alternativesQuery(number));
  const nearest = data?.free[0];
  return (
    <div className="flex w-full flex-col gap-2.5">
      <FreeNearby free={data?.free ?? []} title={text('payment:freeNearby')} />
      {data && !nearest && <p className="py-2 text-center text-body text-ink-2">{text('payment:noneNearby')}</p>}
      {nearest && (
        <MainButton to={`/station/${nearest.number}`}>{text('payment:goTo', { number: nearest.number })}</MainButton>
      )}
      <div className="grid grid-cols-2 gap-2.5">
        <Button to="/qr" icon={<ScanLine aria-hidden="true" size={20} />}>
          {text('payment:scanShort')}
        </Button>
        <Button href={`tel:${phone}`} icon={<Phone aria-hidden="true" size={20} />}>
          {text('payment:callUs')}
        </Button>
      </div>
      <Button kind={nearest ? 'text' : 'quiet'} to="/map" icon={<MapIcon aria-hidden="true" size={20} />}>
        {text('generic:toMap')}
      </Button>
    </div>
  );
}

interface NoneAvailableProps {
  number: string;
  connectors: readonly Connector[];
  onShowAll?: (() => void) | undefined;
}

/** The station answers, and no charge can start at any of its connectors. */
export function NoneAvailable({ number, connectors, onShowAll }: NoneAvailableProps) {
  const text = useText();
  const minutes = firstFreeIn(connectors);
  const why = whyNone(connectors);
  const isBroken = why === 'payment:allBroken';
  const Sign = isBroken ? TriangleAlert : Hourglass;
  return (
    <section className="flex flex-col gap-4">
      <div
        className={classNames(
          'flex flex-col gap-1 rounded-card p-4',
          isBroken ? 'bg-error-tint text-error' : 'bg-occupied-tint text-occupied',
        )}
      >
        <h2 className="flex items-center gap-3 text-card text-balance">
          <Sign aria-hidden="true" size={24} className="shrink-0" />
          {text(why)}
        </h2>
        {minutes !== null && <p className="text-note">{text('payment:freeIn', { minutes })}</p>}
      </div>
      {onShowAll && (
        <Button size="m" onPress={onShowAll}>
          {text('station:showAll')}
        </Button>
      )}
      <StationHelp number={number} />
    </section>
  );
}

const inUse: readonly Connector['status'][] = ['charging', 'occupied'];

function whyNone(connectors: readonly Connector[]) {
  const taken = connectors.filter(({ status }) => inUse.includes(status)).length;
  if (taken === 0) return 'payment:allBroken';
  return taken === connectors.length ? 'payment:allTaken' : 'payment:noneAvailable';
}

/** In minutes; null when no car tells how long it will take. */
function firstFreeIn(connectors: readonly Connector[]): number | null {
  const seconds = connectors.flatMap(({ status, time_left: left }) =>
    status === 'charging' && left !== null ? [left] : [],
  );
  return seconds.length === 0 ? null : Math.max(1, Math.ceil(Math.min(...seconds) / 60));
}
