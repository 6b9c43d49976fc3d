import type { User } from '@fpay/contract/account';
import { downloadData } from '@fpay/contract/profile';
import Download from 'lucide-react/icons/download';
import UserX from 'lucide-react/icons/user-x';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { useAction } from '../../data/action.ts';
import { useText } from '../../i18n/use-text.ts';
import { Spinner } from '../../ui/form/spinner.tsx';
import { saveFile } from '../../ui/format/save-file.ts';
import { List, ListItem } from '../../ui/layout/list.tsx';
import { DeletePopup } from './delete-popup.tsx';

/** Rights by law: a driver can download their data and have it erased. */
export function OwnDataRow({ user }: { user: User }) {
  const text = useText();
  const [isDeleting, setDeleting] = useState(false);
  const { mutate, isPending } = useAction(async () => {
    const data = await call(downloadData);
    saveFile(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }), 'fpay-data.json');
  });
  return (
    <section aria-label={text('account:dataTitle')} className="mt-2 flex flex-col gap-2">
      <h2 className="text-note font-bold">{text('account:dataTitle')}</h2>
      <List>
        <ListItem
          onPress={() => !isPending && mutate()}
          arrow={false}
          icon={isPending ? <Spinner /> : <Download size={20} />}
          title={text('account:download')}
          subtitle={text('account:downloadText')}
        />
        <ListItem
          onPress={() => setDeleting(true)}
          arrow={false}
          icon={<UserX size={20} />}
          wellClassName="bg-error-tint text-error"
          title={text('account:delete')}
          subtitle={text('account:deleteText')}
        />
      </List>
      {isDeleting && <DeletePopup user={user} onClose={() => setDeleting(false)} />}
    </section>
  );
}
