import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { useEffect, useState } from 'react';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { notify } from '../../../ui/overlay/popups.ts';

const shownMs = 2_000;

/** Copies a text with one press and says so. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const text = useText();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      // Without permission the text can be selected by hand.
      () => void notify(text('admin:copyFailed')),
    );
  const Icon = isCopied ? Check : Copy;
  return (
    <>
      <Button size="s" icon={<Icon aria-hidden="true" size={18} />} onPress={() => void copy()}>
        {isCopied ? text('admin:copied') : label}
      </Button>
      {/* Beside the button: what is inside a live region gives a button no name in Chromium. */}
      <span role="status" className="sr-only">
        {isCopied && text('admin:copied')}
      </span>
    </>
  );
}
