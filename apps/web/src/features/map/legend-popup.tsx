import X from 'lucide-react/icons/x';
import type { TextKey } from '../../i18n/text-key.ts';
import { useText } from '../../i18n/use-text.ts';
import { IconButton } from '../../ui/form/icon-button.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { PopupFrame } from '../../ui/overlay/popup-frame.tsx';
import type { MarkerLook } from './atlas/marker-look.ts';
import { ClusterIcon } from './drawing/cluster-icon.tsx';
import { MarkerIcon } from './drawing/marker-icon.tsx';

const looks: [TextKey, MarkerLook][] = [
  ['map:lookFree', { kind: 'plain', state: 'active', isFree: true }],
  ['map:lookBusy', { kind: 'plain', state: 'active', isFree: false }],
  ['map:lookHalf', { kind: 'plain', state: 'half', isFree: true }],
  ['map:lookInactive', { kind: 'plain', state: 'inactive', isFree: false }],
  ['map:lookHub', { kind: 'hub', state: 'active', isFree: true }],
  ['map:lookDiscount', { kind: 'discount', state: 'active', isFree: true }],
  ['map:lookSun', { kind: 'sun', state: 'active', isFree: true }],
  ['map:lookEvent', { kind: 'event', state: 'active', isFree: true }],
];

export function LegendPopup({ open, onClose }: { open: boolean; onClose: () => void }) {
  const text = useText();
  return (
    <PopupFrame open={open} onClose={onClose} title={text('map:legendTitle')} titleClassName="pr-10 text-h2">
      <IconButton
        label={text('generic:close')}
        icon={<X size={24} />}
        onPress={onClose}
        className="absolute top-3.5 right-3.5"
      />
      <ul className="-my-1">
        {looks.map(([key, look]) => (
          <li key={key} className="flex items-center gap-4 py-1 text-body">
            <MarkerIcon look={look} isDecoration />
            {text(key)}
          </li>
        ))}
      </ul>
      <div className="border-t border-line pt-4">
        <p className="flex items-center gap-4 text-body">
          <ClusterIcon shares={{ free: 14, busy: 6, off: 4 }} />
          {text('map:lookCluster')}
        </p>
        <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-note text-ink-2">
          {(
            [
              ['map:shareFree', 'bg-[#0B8A49]'],
              ['map:shareBusy', 'bg-[#F2A60C]'],
              ['map:shareOff', 'bg-offline-fill'],
            ] as const
          ).map(([key, colour]) => (
            <li key={key} className="flex items-center gap-2">
              <span aria-hidden="true" className={`size-3 rounded-[4px] ${colour}`} />
              {text(key)}
            </li>
          ))}
        </ul>
      </div>
      <MainButton onPress={onClose}>{text('map:understood')}</MainButton>
    </PopupFrame>
  );
}
