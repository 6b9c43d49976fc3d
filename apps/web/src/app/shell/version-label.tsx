import { useState } from 'react';
import { useText } from '../../i18n/use-text.ts';

/** Toggles between the version and a text about progress on a tap. */
export function VersionLabel({ version }: { version: string }) {
  const text = useText();
  const [showsVersion, setShowsVersion] = useState(true);
  return (
    <button
      type="button"
      onClick={() => setShowsVersion(!showsVersion)}
      className="tabular min-h-11 rounded-control px-1 text-small text-ink-2"
    >
      <span className="sr-only">{text('menu:version')}: </span>
      {showsVersion ? `v${version}` : text('menu:inProgress')}
    </button>
  );
}
