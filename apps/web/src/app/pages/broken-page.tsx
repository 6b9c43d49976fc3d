import Unplug from 'lucide-react/icons/unplug';
import { useEffect, useState } from 'react';
import { loadTexts } from '../../i18n/i18n.ts';
import { useText } from '../../i18n/use-text.ts';
import { useLocation, useRevalidator } from '../../router/index.ts';
import { Button } from '../../ui/form/button.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { reportError } from '../report-error.ts';

/** A bug: it is reported, and there is a way back for when another attempt fails too. */
export function BrokenPage({ error }: { error: unknown }) {
  const text = useText();
  const { pathname } = useLocation();
  const { revalidate, state } = useRevalidator();
  const code = useReport(error, pathname);
  const isStaffPage = pathname.startsWith('/admin/');
  return (
    <EmptyState
      drawing={<Unplug size={64} strokeWidth={1.5} />}
      tone="error"
      title={text('generic:somethingWrong')}
      text={
        <>
          {text('generic:somethingWrongText')}
          {code && (
            <span className="mt-2 block font-bold text-ink">
              {text('refusals:reportCode', { code: `${code.slice(0, 4)}-${code.slice(4)}` })}
            </span>
          )}
        </>
      }
      actions={
        <>
          <MainButton busy={state === 'loading'} onPress={() => void revalidate()}>
            {text('generic:tryAgain')}
          </MainButton>
          <Button kind="quiet" className="w-full" to={isStaffPage ? '/admin' : '/map'}>
            {text(isStaffPage ? 'generic:back' : 'generic:toMap')}
          </Button>
        </>
      }
    />
  );
}

/** The code of the report, once the server has it: only then staff can find it. */
function useReport(error: unknown, path: string): string | null {
  const [code, setCode] = useState<string | null>(null);
  useEffect(() => {
    let isShown = true;
    // Of the texts with refusals, because the first page must not carry them.
    const texts = loadTexts(['refusals']).catch(() => undefined);
    void Promise.all([reportError(error, path), texts]).then(([sent]) => isShown && setCode(sent));
    return () => {
      isShown = false;
    };
  }, [error, path]);
  return code;
}
