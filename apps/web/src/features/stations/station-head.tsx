import { addressFor } from '@fpay/contract/languages';
import type { StationPage } from '@fpay/contract/stations';
import Navigation from 'lucide-react/icons/navigation';
import type { ReactNode } from 'react';
import { useLanguage, useText } from '../../i18n/use-text.ts';
import { IconButton } from '../../ui/form/icon-button.tsx';
import { StepTitle } from './steps/steps.tsx';

/** The station's number and address, the route to it, and what the page adds. */
export function StationHead({ station, children }: { station: StationPage; children?: ReactNode }) {
  const text = useText();
  const language = useLanguage();
  return (
    <header className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <StepTitle>{station.number}</StepTitle>
        <p className="text-note text-ink-2">{addressFor(station, language)}</p>
      </div>
      <IconButton
        label={text('station:route')}
        look="outlined"
        href={`https://www.google.com/maps/search/?api=1&query=${station.lat},${station.lon}`}
        icon={<Navigation aria-hidden="true" size={20} />}
      />
      {children}
    </header>
  );
}
