import { addPhoto, mostPhotoBytes, mostPhotos, orderPhotos, removePhoto } from '@fpay/contract/admin/network/photos';
import type { NetworkStation } from '@fpay/contract/admin/network/stations';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import ArrowRight from 'lucide-react/icons/arrow-right';
import ImagePlus from 'lucide-react/icons/image-plus';
import Trash2 from 'lucide-react/icons/trash-2';
import { type ReactNode, useId } from 'react';
import { call } from '../../../../api/call.ts';
import { photoAddress } from '../../../../api/photo-address.ts';
import { useAction } from '../../../../data/action.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { IconButton } from '../../../../ui/form/icon-button.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { confirm, notify } from '../../../../ui/overlay/popups.ts';
import { photoContent } from './photo-file.ts';

interface PhotosCardProps {
  station: NetworkStation;
  mayManage: boolean;
  onDone: () => void;
}

/** Photos that drivers see at the station. They are changed at once, apart from the form. */
export function PhotosCard({ station: { number, photos }, mayManage, onDone }: PhotosCardProps) {
  const text = useText();
  const params = { number };
  const keys = photos.map(({ key }) => key);
  const changing = useAction((change: () => Promise<unknown>) => change(), {
    // Also after a refusal: another person may have changed the photos, or some of several files were stored.
    onSettled: onDone,
  });
  const add = async (files: readonly File[]) => {
    for (const file of files) {
      const content = await photoContent(file, mostPhotoBytes);
      if (content === null) return void notify(text('networkStations:photoTooLarge', { name: file.name }));
      await call(addPhoto, { params, body: { content } });
    }
  };
  const move = (from: number, to: number) =>
    changing.mutate(() => {
      const moved = keys.toSpliced(from, 1).toSpliced(to, 0, keys[from] ?? '');
      return call(orderPhotos, { params, body: { keys: moved } });
    });
  async function remove(key: string) {
    const question = {
      title: text('networkStations:removePhotoTitle'),
      effect: text('networkStations:removePhotoEffect'),
      kind: 'danger',
    } as const;
    if (await confirm(question)) changing.mutate(() => call(removePhoto, { params: { number, key } }));
  }
  const isBusy = changing.isPending;
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-card">{text('networkStations:photos')}</h2>
        <p className="text-small text-ink-2">{text('networkStations:photosHint')}</p>
      </div>
      {photos.length === 0 && !mayManage && <p className="text-note text-ink-2">{text('networkStations:noPhotos')}</p>}
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-4" aria-busy={isBusy}>
        {photos.map(({ key }, index) => (
          <PhotoItem key={key} photo={key} number={index + 1}>
            {mayManage && (
              <PhotoButtons
                number={index + 1}
                count={photos.length}
                isBusy={isBusy}
                onMove={(to) => move(index, to)}
                onRemove={() => void remove(key)}
              />
            )}
          </PhotoItem>
        ))}
        {mayManage && photos.length < mostPhotos && (
          <NewPhotos isBusy={isBusy} onFiles={(files) => changing.mutate(() => add(files))} />
        )}
      </ul>
    </Card>
  );
}

/** A photo as drivers see it; the first one is the main one. */
function PhotoItem({ photo, number, children }: { photo: string; number: number; children: ReactNode }) {
  const text = useText();
  return (
    <li className="min-w-0">
      <div className="relative">
        <img
          src={photoAddress(photo, 'small')}
          alt={text('networkStations:photoNumber', { number })}
          loading="lazy"
          className="aspect-[4/3] w-full rounded-control bg-surface-2 object-cover"
        />
        {number === 1 && (
          <span className="absolute bottom-2 left-2 rounded-badge bg-surface px-2 py-0.5 text-small font-bold">
            {text('networkStations:mainPhoto')}
          </span>
        )}
      </div>
      {children}
    </li>
  );
}

interface PhotoButtonsProps {
  number: number;
  count: number;
  isBusy: boolean;
  /** To this place, from 0. */
  onMove: (to: number) => void;
  onRemove: () => void;
}

function PhotoButtons({ number, count, isBusy, onMove, onRemove }: PhotoButtonsProps) {
  const text = useText();
  return (
    <div className="flex justify-between">
      <IconButton
        label={text('networkStations:photoEarlier', { number })}
        icon={<ArrowLeft aria-hidden="true" size={20} />}
        disabled={isBusy || number === 1}
        onPress={() => onMove(number - 2)}
      />
      <IconButton
        label={text('networkStations:removePhoto', { number })}
        icon={<Trash2 aria-hidden="true" size={20} />}
        disabled={isBusy}
        onPress={onRemove}
      />
      <IconButton
        label={text('networkStations:photoLater', { number })}
        icon={<ArrowRight aria-hidden="true" size={20} />}
        disabled={isBusy || number === count}
        onPress={() => onMove(number)}
      />
    </div>
  );
}

interface NewPhotosProps {
  isBusy: boolean;
  onFiles: (files: readonly File[]) => void;
}

function NewPhotos({ isBusy, onFiles }: NewPhotosProps) {
  const text = useText();
  const id = useId();
  return (
    <li className="min-w-0">
      <label
        htmlFor={id}
        className="flex aspect-[4/3] cursor-pointer flex-col items-center justify-center gap-2 rounded-control border-[1.5px] border-dashed border-line-strong p-2 text-center text-note font-bold focus-within:outline-3 focus-within:outline-accent-text"
      >
        <ImagePlus aria-hidden="true" size={28} />
        {text(isBusy ? 'networkStations:photoSending' : 'networkStations:addPhoto')}
        <input
          id={id}
          type="file"
          accept="image/jpeg,image/png,image/webp"
          multiple
          disabled={isBusy}
          className="sr-only"
          onChange={({ target }) => {
            const files = Array.from(target.files ?? []);
            // The same file can be chosen again after a refusal.
            target.value = '';
            if (files.length > 0) onFiles(files);
          }}
        />
      </label>
    </li>
  );
}
