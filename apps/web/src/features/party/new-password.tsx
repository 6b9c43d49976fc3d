import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { useState } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { Pressable } from '../../ui/form/pressable.tsx';

/** Shown once: the server keeps only its hash. A press copies it. */
export function NewPasswordPopup({ password }: { password: string }) {
  const text = useText();
  const [isCopied, setCopied] = useState(false);
  const Icon = isCopied ? Check : Copy;
  return (
    <div className="flex flex-col gap-3">
      <p className="text-body">{text('party:newPasswordText')}</p>
      <Pressable
        onPress={() => void navigator.clipboard.writeText(password).then(() => setCopied(true))}
        className="flex min-h-16 items-center justify-between gap-3 rounded-card bg-surface px-5 shadow-card active:bg-surface-2"
      >
        <span className="font-mono text-h2 tracking-wider wrap-anywhere">{password}</span>
        <span className="flex shrink-0 items-center gap-2 text-label">
          <Icon aria-hidden="true" size={20} />
          <span role="status">{isCopied ? text('party:copied') : text('party:copy')}</span>
        </span>
      </Pressable>
      <p className="text-small text-ink-2">{text('party:newPasswordOnce')}</p>
    </div>
  );
}
