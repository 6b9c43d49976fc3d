import { type ConnectorType, connectorTypes, everyConnectorType } from '@fpay/contract/connectors';
import ScanQrCode from 'lucide-react/icons/scan-qr-code';
import Search from 'lucide-react/icons/search';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import type { Ref } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { IconButton } from '../../ui/form/icon-button.tsx';
import { Pressable } from '../../ui/form/pressable.tsx';
import { classNames } from '../../ui/hooks/class-names.ts';
import { ConnectorIcon } from '../../ui/picture/connector-icon.tsx';
import { toggled } from './toggled.ts';

interface MapDockProps {
  types: readonly ConnectorType[];
  onTypes: (types: ConnectorType[]) => void;
  onSearch: () => void;
  onAllTypes: () => void;
  ref: Ref<HTMLDivElement>;
}

/** Search, QR and the filter within reach of a thumb. */
export function MapDock({ types, onTypes, onSearch, onAllTypes, ref }: MapDockProps) {
  const text = useText();
  return (
    <div ref={ref} className="pointer-events-auto rounded-t-card bg-surface pt-4 pb-dock shadow-sheet">
      <div className="flex gap-2 px-4">
        <Pressable
          onPress={onSearch}
          className="flex min-h-14 min-w-0 flex-1 items-center gap-3 rounded-control bg-surface-2 px-4 text-left text-body text-ink-2 active:bg-line"
        >
          <Search aria-hidden="true" size={22} className="shrink-0" />
          <span className="truncate">{text('map:searchHint')}</span>
        </Pressable>
        <QrLink />
      </div>
      <TypeChips types={types} onTypes={onTypes} onAllTypes={onAllTypes} />
    </div>
  );
}

export function QrLink() {
  const text = useText();
  return (
    <Pressable
      to="/qr"
      aria-label={text('map:scanQr')}
      className="flex min-h-14 shrink-0 items-center gap-2.5 rounded-control bg-accent px-5 text-button text-on-accent active:bg-accent-press"
    >
      <ScanQrCode aria-hidden="true" size={24} />
      QR
    </Pressable>
  );
}

/** The filter by connector type, in one row. */
export function TypeChips({ types, onTypes, onAllTypes }: Pick<MapDockProps, 'types' | 'onTypes' | 'onAllTypes'>) {
  const text = useText();
  return (
    <fieldset
      aria-label={text('map:filter')}
      className="m-0 mt-3 flex min-w-0 gap-2 overflow-x-auto overscroll-x-contain px-4 [scrollbar-width:none]"
    >
      <IconButton
        look="filled"
        label={text('map:allTypes')}
        icon={<SlidersHorizontal size={20} />}
        onPress={onAllTypes}
      />
      {everyConnectorType.map((type) => (
        <Chip key={type} type={type} isOn={types.includes(type)} onPress={() => onTypes(toggled(types, type))} />
      ))}
    </fieldset>
  );
}

function Chip({ type, isOn, onPress }: { type: ConnectorType; isOn: boolean; onPress: () => void }) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onPress}
      className={classNames(
        'flex h-11 shrink-0 items-center gap-2 rounded-control px-3.5 text-label font-bold -outline-offset-3',
        isOn ? 'bg-ink text-surface' : 'bg-surface-2 text-ink',
      )}
    >
      <span aria-hidden="true" className={isOn ? '' : 'text-ink-2'}>
        <ConnectorIcon type={type} size={22} />
      </span>
      {connectorTypes[type].name}
    </button>
  );
}
