import { type AdminCase, assignCase } from '@fpay/contract/admin/cases';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { useAction } from '../../../data/action.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { PopupFrame } from '../../../ui/overlay/popup-frame.tsx';
import { missing } from '../users/user-text.ts';
import { caseQueries } from './queries.ts';

interface AssignPopupProps {
  found: AdminCase;
  reader: number;
  onClose: () => void;
  onDone: () => void;
}

const noOwner = '';

/** Gives a case to a colleague, to oneself, or to none. */
export function AssignPopup({ found, reader, onClose, onDone }: AssignPopupProps) {
  const text = useText();
  const { data: staff = [] } = useQuery(caseQueries.staff());
  const [chosen, setChosen] = useState(found.owner === null ? String(reader) : String(found.owner.id));
  const sending = useAction(
    () =>
      call(assignCase, {
        params: { id: String(found.id) },
        body: { staff_id: chosen === noOwner ? null : Number(chosen) },
      }),
    {
      onSuccess: () => {
        onClose();
        onDone();
      },
    },
  );
  return (
    <PopupFrame open onClose={onClose} title={text('adminCases:assignTitle')} titleClassName="text-h2">
      <Select
        label={text('adminCases:assignee')}
        value={chosen}
        onChange={setChosen}
        options={[
          ...staff.map(({ id, name }) => ({ value: String(id), label: name || missing.name })),
          { value: noOwner, label: text('adminCases:noOwner') },
        ]}
      />
      <Button kind="main" busy={sending.isPending} onPress={() => sending.mutate()}>
        {text('adminCases:assignAction')}
      </Button>
    </PopupFrame>
  );
}
