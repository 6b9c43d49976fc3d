import type { User } from '@fpay/contract/account';
import { useEffect, useRef } from 'react';
import type { TextKey } from '../../i18n/text-key.ts';
import { useText } from '../../i18n/use-text.ts';
import { classNames } from '../../ui/hooks/class-names.ts';
import { Avatar } from '../../ui/layout/avatar.tsx';
import { PageTitle } from '../../ui/layout/page-title.tsx';
import { useBack } from '../../ui/overlay/use-back.ts';
import { useUser } from '../account/queries.ts';
import { change, useDraft } from './draft.ts';
import { useUnsavedGuard } from './unsaved-guard.ts';

/** Long enough to see the choice, too short to be a wait. */
const returnPauseMs = 250;

const icons = [
  { icon: 1, name: 'account:iconBattery' },
  { icon: 2, name: 'account:iconPlug' },
  { icon: 3, name: 'account:iconSun' },
  { icon: 4, name: 'account:iconCar' },
  { icon: 5, name: 'account:iconCloud' },
  { icon: 6, name: 'account:iconFire' },
] as const satisfies readonly { icon: User['icon']; name: TextKey }[];

export function Page() {
  const user = useUser();
  return user && <IconsPage user={user} />;
}

function IconsPage({ user }: { user: User }) {
  const text = useText();
  // No new history entry, because going back from the editor would lead to the editor.
  const goBack = useBack('/edit');
  const chosen = useDraft(user).icon ?? user.icon;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useUnsavedGuard(user);
  useEffect(() => () => clearTimeout(timer.current), []);

  function choose(icon: number): void {
    change(user, { icon });
    clearTimeout(timer.current);
    timer.current = setTimeout(goBack, returnPauseMs);
  }

  return (
    <div className="flex flex-1 flex-col gap-4 px-4 pt-1 pb-8">
      <PageTitle back="/edit">{text('account:iconsTitle')}</PageTitle>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {icons.map(({ icon, name }) => (
          <li key={icon}>
            <button
              type="button"
              aria-pressed={icon === chosen}
              onClick={() => choose(icon)}
              className={classNames(
                'flex w-full flex-col items-center gap-3 rounded-card bg-surface px-3 py-5 text-label active:bg-surface-2',
                icon === chosen ? 'shadow-[inset_0_0_0_2px_var(--free-fill)]' : 'shadow-card',
              )}
            >
              <Avatar icon={icon} size={88} />
              {text(name)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
