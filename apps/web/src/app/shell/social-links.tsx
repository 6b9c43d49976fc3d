import type { Settings } from '@fpay/contract/settings';
import Globe from 'lucide-react/icons/globe';
import Send from 'lucide-react/icons/send';
import ThumbsUp from 'lucide-react/icons/thumbs-up';
import type { ReactNode } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { IconButton } from '../../ui/form/icon-button.tsx';

type Link = Settings['social'][number];

/** A camera would suggest taking a photo, so this one has its own outline. */
function InstagramMark({ size }: { size: number }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
    >
      <rect x={3} y={3} width={18} height={18} rx={5} />
      <circle cx={12} cy={12} r={4} />
      <circle cx={17} cy={7} r={0.6} fill="currentColor" />
    </svg>
  );
}

/** The icon set has no trade marks, so the other networks get a similar symbol. */
const icons = {
  telegram: Send,
  instagram: InstagramMark,
  facebook: ThumbsUp,
  website: Globe,
} as const satisfies Record<Link['kind'], (props: { size: number }) => ReactNode>;

/** Trade marks are the same in every language. */
const names = { telegram: 'Telegram', instagram: 'Instagram', facebook: 'Facebook' };

export function SocialLinks({ settings }: { settings: Settings }) {
  const text = useText();
  return (
    <ul aria-label={text('menu:followUs')} className="flex flex-wrap gap-2">
      {linksOf(settings).map(({ kind, url }) => {
        const Icon = icons[kind];
        const label = kind === 'website' ? text('menu:landing', { brand: settings.brand }) : names[kind];
        return (
          <li key={url}>
            <IconButton look="filled" label={label} icon={<Icon size={20} />} href={url} />
          </li>
        );
      })}
    </ul>
  );
}

/** The landing site is always included, also when the network does not list it as a social page. */
function linksOf({ social, landing_url }: Settings): Link[] {
  const hasLanding = social.some(({ url }) => url === landing_url);
  return hasLanding ? social : [...social, { kind: 'website', url: landing_url }];
}
