import type { Found } from '@fpay/contract/admin/search';
import Bug from 'lucide-react/icons/bug';
import CreditCard from 'lucide-react/icons/credit-card';
import MapPin from 'lucide-react/icons/map-pin';
import Nfc from 'lucide-react/icons/nfc';
import PanelTop from 'lucide-react/icons/panel-top';
import PlugZap from 'lucide-react/icons/plug-zap';
import UserRound from 'lucide-react/icons/user-round';
import Zap from 'lucide-react/icons/zap';
import { useRef } from 'react';
import { useText } from '../../../i18n/use-text.ts';
import { Link } from '../../../router/index.ts';
import { classNames } from '../../../ui/hooks/class-names.ts';
import { useOnChange } from '../../../ui/hooks/use-on-change.ts';
import type { RecentItem } from './recent.ts';

interface PageItem {
  kind: 'page';
  to: string;
  title: string;
  detail: string;
}

export type PaletteItem = PageItem | RecentItem;

export interface PaletteGroup {
  name: string;
  items: PaletteItem[];
}

const icons = {
  operation: Zap,
  user: UserRound,
  station: MapPin,
  charge_point: PlugZap,
  payment: CreditCard,
  rfid: Nfc,
  page_error: Bug,
  page: PanelTop,
} as const satisfies Record<Found['kind'] | 'page', typeof Zap>;

interface PaletteListProps {
  groups: readonly PaletteGroup[];
  /** Among the items of all groups. */
  active: number;
  match: string;
  onActive: (index: number) => void;
  onChoose: (item: PaletteItem, inNewTab: boolean) => void;
}

/** Results by kind. The field keeps the focus; the active one follows the arrow keys and the pointer. */
export function PaletteList({ groups, active, match, onActive, onChoose }: PaletteListProps) {
  const text = useText();
  const list = useRef<HTMLDivElement>(null);
  // The active item stays visible.
  useOnChange([active], () => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView?.({ block: 'nearest' });
  });
  let index = -1;
  return (
    <div
      ref={list}
      id="palette-list"
      role="listbox"
      tabIndex={-1}
      aria-label={text('admin:findAnything')}
      className="min-h-0 overflow-y-auto px-2 pb-2 outline-none"
    >
      {groups.map(({ name, items }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be inside a list box.
        <div key={name} role="group" aria-label={name}>
          <p aria-hidden="true" className="px-2 pt-3 pb-1 text-small text-ink-2">
            {name}
          </p>
          {items.map((item) => {
            index += 1;
            const own = index;
            return (
              <PaletteOption
                key={`${item.kind} ${item.to} ${item.title}`}
                item={item}
                index={own}
                isActive={own === active}
                match={match}
                onActive={() => onActive(own)}
                onChoose={(inNewTab) => onChoose(item, inNewTab)}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}

interface PaletteOptionProps {
  item: PaletteItem;
  /** Among the items of all groups. */
  index: number;
  isActive: boolean;
  match: string;
  onActive: () => void;
  onChoose: (inNewTab: boolean) => void;
}

function PaletteOption({ item, index, isActive, match, onActive, onChoose }: PaletteOptionProps) {
  const Icon = icons[item.kind] ?? PanelTop;
  return (
    <Link
      id={`palette-${index}`}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      to={item.to}
      onPointerMove={onActive}
      onClick={(event) => {
        event.preventDefault();
        onChoose(event.ctrlKey || event.metaKey);
      }}
      className={classNames('flex min-h-12 items-center gap-3 rounded-control px-2 py-1.5', isActive && 'bg-surface-2')}
    >
      <span aria-hidden="true" className="grid size-8 shrink-0 place-items-center rounded-badge bg-surface-2">
        <Icon size={18} className="text-ink-2" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-note font-bold">
          <Matched value={item.title} match={match} />
        </span>
        {item.detail && (
          <span className="block truncate text-small text-ink-2">
            <Matched value={item.detail} match={match} />
          </span>
        )}
      </span>
    </Link>
  );
}

/** The part that was typed stands out. */
function Matched({ value, match }: { value: string; match: string }) {
  const at = match === '' ? -1 : value.toLowerCase().indexOf(match.toLowerCase());
  if (at === -1) return value;
  return (
    <>
      {value.slice(0, at)}
      <mark className="rounded-[4px] bg-accent text-on-accent">{value.slice(at, at + match.length)}</mark>
      {value.slice(at + match.length)}
    </>
  );
}
