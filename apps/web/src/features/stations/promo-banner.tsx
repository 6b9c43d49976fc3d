import Gift from 'lucide-react/icons/gift';
import Sun from 'lucide-react/icons/sun';
import type { TextKey } from '../../i18n/text-key.ts';
import { useText } from '../../i18n/use-text.ts';

interface Banner {
  icon: typeof Gift;
  title: TextKey;
  text: TextKey;
  look: string;
  well: string;
}

/** Codes come with the station; an unknown code shows nothing. */
const banners: Record<string, Banner> = {
  free_parking: {
    icon: Gift,
    title: 'station:freeParking',
    text: 'station:freeParkingText',
    look: 'bg-promo-tint',
    well: 'bg-promo text-surface',
  },
  solar: {
    icon: Sun,
    title: 'station:solar',
    text: 'station:solarText',
    look: 'bg-occupied-tint',
    well: 'bg-occupied-fill text-[#2a1a00]',
  },
};

export function PromoBanner({ code }: { code: string | null }) {
  const text = useText();
  const banner = code !== null && Object.hasOwn(banners, code) ? banners[code] : undefined;
  if (!banner) return null;
  const Icon = banner.icon;
  return (
    <aside className={`flex items-center gap-3.5 rounded-card p-4 ${banner.look}`}>
      <span aria-hidden="true" className={`grid size-10 shrink-0 place-items-center rounded-control ${banner.well}`}>
        <Icon size={22} />
      </span>
      <span>
        <strong className="block text-body font-extrabold">{text(banner.title)}</strong>
        <span className="block text-note text-ink-2">{text(banner.text)}</span>
      </span>
    </aside>
  );
}
