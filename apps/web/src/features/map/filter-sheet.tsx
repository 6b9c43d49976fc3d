import { type ConnectorType, connectorTypes, everyConnectorType } from '@fpay/contract/connectors';
import Check from 'lucide-react/icons/check';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { classNames } from '../../ui/hooks/class-names.ts';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { ConnectorIcon } from '../../ui/picture/connector-icon.tsx';
import type { Counts } from './atlas/atlas.ts';
import { toggled } from './toggled.ts';

interface FilterSheetProps {
  open: boolean;
  onClose: () => void;
  types: readonly ConnectorType[];
  onTypes: (types: ConnectorType[]) => void;
  /** Null while the stations are loading. */
  counts: Counts | null;
}

/** All types, including those that do not fit the row of chips. */
export function FilterSheet({ open, onClose, types, onTypes, counts }: FilterSheetProps) {
  const text = useText();
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={text('map:connectorTypes')}
      action={
        types.length > 0 && (
          <Button kind="text" size="s" onPress={() => onTypes([])}>
            {text('map:reset')}
          </Button>
        )
      }
    >
      <ul className="grid grid-cols-2 gap-2">
        {everyConnectorType.map((type) => (
          <li key={type}>
            <TypeTile
              type={type}
              stations={counts?.byType[type] ?? null}
              isOn={types.includes(type)}
              onPress={() => onTypes(toggled(types, type))}
            />
          </li>
        ))}
      </ul>
      <MainButton onPress={onClose} className="mt-4 w-full">
        {counts ? text('map:show', { count: counts.stations }) : text('map:showAll')}
      </MainButton>
    </Sheet>
  );
}

interface TypeTileProps {
  type: ConnectorType;
  stations: number | null;
  isOn: boolean;
  onPress: () => void;
}

function TypeTile({ type, stations, isOn, onPress }: TypeTileProps) {
  const text = useText();
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onPress}
      className={classNames(
        'relative flex min-h-16 w-full items-center gap-3 rounded-control px-3 py-2.5 text-left max-[359px]:gap-2 max-[359px]:px-2.5',
        isOn ? 'bg-ink text-surface' : 'bg-surface text-ink shadow-card active:bg-surface-2',
      )}
    >
      <span aria-hidden="true" className={classNames('shrink-0', !isOn && 'text-ink-2')}>
        <ConnectorIcon type={type} size={28} />
      </span>
      <span className="min-w-0">
        <span className="block text-label font-bold">{connectorTypes[type].name}</span>
        {stations !== null && (
          <span className="tabular block text-small opacity-85">{text('map:stations', { count: stations })}</span>
        )}
      </span>
      {isOn && <Check aria-hidden="true" size={18} className="absolute top-2 right-2" />}
    </button>
  );
}
