import type { AdminUser } from '@fpay/contract/admin/users';
import { useLanguage, useText } from '../../../i18n/use-text.ts';
import { formatMoney } from '../../../ui/format/money.tsx';
import { formatInstant } from '../../../ui/format/number-format.ts';
import { DataList, noDate } from '../parts/data-list.tsx';
import { missing } from '../users/user-text.ts';

const instantForm = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;

/** The record of the user under the names of the wire. */
export function UserData({ user }: { user: AdminUser }) {
  const text = useText();
  const language = useLanguage();
  const instant = (at: string | null) => (at === null ? noDate : formatInstant(at, instantForm, language));
  return (
    <DataList
      rows={[
        ['id', user.id],
        ['name', user.name || missing.name],
        ['phone_number', user.phone_number ?? missing.phone],
        ['role', user.role],
        ['is_temporary', String(user.is_temporary)],
        ['created_at', instant(user.created_at)],
        ['last_login', instant(user.last_login)],
        ['group', user.groups[0] ?? text('adminUsers:noGroups')],
        ['has_telegram', String(user.has_telegram)],
        ['language', user.language],
        ['wallet.id', user.wallet.id],
        ['wallet.balance', formatMoney(user.wallet.balance, {}, language)],
        ['wallet.is_shared', String(user.wallet.is_shared)],
        ['wallet.is_owner', String(user.wallet.is_owner)],
      ]}
    />
  );
}
