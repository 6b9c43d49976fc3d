import type { StationPage } from '@fpay/contract/stations';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useState } from 'react';
import { photoAddress } from '../../../api/photo-address.ts';
import { useText } from '../../../i18n/use-text.ts';
import { IconButton } from '../../../ui/form/icon-button.tsx';
import { PopupFrame } from '../../../ui/overlay/popup-frame.tsx';

/** The height of the row, in pixels; the width follows from the picture. */
const rowHeight = 96;

/** Photos of the place, so that a driver recognises the charger from the road. A press opens one. */
export function StationPhotos({ station: { number, photos } }: { station: Pick<StationPage, 'number' | 'photos'> }) {
  const text = useText();
  const [opened, setOpened] = useState<number | null>(null);
  const nameOf = (index: number) => text('payment:photo', { number: index + 1, all: photos.length });
  return (
    <section aria-label={text('payment:photos')} className="-mx-4">
      <ul className="flex gap-2.5 overflow-x-auto px-4 pb-1">
        {photos.map(({ key, width, height }, index) => (
          <li key={key} className="shrink-0">
            <button
              type="button"
              aria-label={nameOf(index)}
              className="block overflow-hidden rounded-control bg-surface-2"
              onClick={() => setOpened(index)}
            >
              <img
                src={photoAddress(key, 'small')}
                alt=""
                loading="lazy"
                decoding="async"
                width={Math.round((rowHeight * width) / height)}
                height={rowHeight}
                className="h-24 w-auto max-w-64 object-cover"
              />
            </button>
          </li>
        ))}
      </ul>
      {opened !== null && (
        <PhotoPopup
          title={`${number} · ${nameOf(opened)}`}
          photo={photos[opened]}
          hasMore={photos.length > 1}
          onMove={(by) => setOpened((opened + by + photos.length) % photos.length)}
          onClose={() => setOpened(null)}
        />
      )}
    </section>
  );
}

interface PhotoPopupProps {
  title: string;
  /** Undefined after it was removed while this is open. */
  photo: StationPage['photos'][number] | undefined;
  hasMore: boolean;
  onMove: (by: 1 | -1) => void;
  onClose: () => void;
}

function PhotoPopup({ title, photo, hasMore, onMove, onClose }: PhotoPopupProps) {
  const text = useText();
  return (
    <PopupFrame open onClose={onClose} title={title} titleClassName="text-h2" closeButton>
      {photo && (
        <img
          src={photoAddress(photo.key, 'large')}
          alt={title}
          width={photo.width}
          height={photo.height}
          className="max-h-[65dvh] w-full rounded-control bg-surface-2 object-contain"
        />
      )}
      {hasMore && (
        <div className="flex justify-between">
          <IconButton
            look="filled"
            label={text('payment:photoPrevious')}
            icon={<ChevronLeft aria-hidden="true" size={24} />}
            onPress={() => onMove(-1)}
          />
          <IconButton
            look="filled"
            label={text('payment:photoNext')}
            icon={<ChevronRight aria-hidden="true" size={24} />}
            onPress={() => onMove(1)}
          />
        </div>
      )}
    </PopupFrame>
  );
}
