import { useText } from '../../../i18n/use-text.ts';
import { useBeforeUnload, useBlocker } from '../../../router/index.ts';
import { useWhen } from '../../../ui/hooks/use-when.ts';
import { confirm } from '../../../ui/overlay/popups.ts';

/** Asks before typed changes are lost. */
export function useLeaveQuestion(hasChanges: boolean): void {
  const text = useText();
  const blocker = useBlocker(hasChanges);
  useBeforeUnload((event) => {
    if (hasChanges) event.preventDefault();
  });
  useWhen(blocker.state === 'blocked' && blocker, ({ proceed, reset }) => {
    const question = { title: text('admin:leaveTitle'), effect: text('admin:leaveEffect') };
    void confirm(question).then((isSure) => (isSure ? proceed?.() : reset?.()));
  });
}
