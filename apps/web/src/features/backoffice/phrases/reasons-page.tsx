import { type ListedReason, type ReasonKind, reasonKinds, saveStaffReasons } from '@fpay/contract/admin/reasons';
import { languageRecords, languages } from '@fpay/contract/languages';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { useAction } from '../../../data/action.ts';
import { Loaded } from '../../../data/loaded.tsx';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useLanguage, useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { notify } from '../../../ui/overlay/popups.ts';
import { CheckList } from '../parts/check-list.tsx';
import { reasonQueries } from '../parts/reasons/reason-queries.ts';
import { useLeaveQuestion } from '../parts/use-leave-question.ts';
import { StaffPage } from '../shell/staff-page.tsx';
import { EntryCard } from './entry-card.tsx';
import { useEntries } from './use-entries.ts';

const kindNames = {
  refund: 'adminPhrases:kindRefund',
  give: 'adminPhrases:kindGive',
  take: 'adminPhrases:kindTake',
  settle: 'adminPhrases:kindSettle',
  force: 'adminPhrases:kindForce',
  ban: 'adminPhrases:kindBan',
} as const satisfies Record<ReasonKind, TextKey>;

type TypedReason = Omit<ListedReason, 'id'> & { id?: number };
const noTexts = Object.fromEntries(languages.map((language) => [language, ''])) as TypedReason['texts'];
const empty: TypedReason = { texts: noTexts, kinds: [] };

const lacksText = ({ texts }: TypedReason) => languages.some((language) => texts[language].trim() === '');
const isComplete = (reason: TypedReason) => !lacksText(reason) && reason.kinds.length > 0;

/** The reasons that popups of actions offer, in their order. */
export function Page() {
  const text = useText();
  return (
    <StaffPage title={text('adminPhrases:reasons')} subtitle={text('adminPhrases:reasonsText')} back="/admin/users">
      <Loaded query={useQuery(reasonQueries.list())} rows={4}>
        {(stored) => <ReasonList stored={stored} />}
      </Loaded>
    </StaffPage>
  );
}

function ReasonList({ stored }: { stored: readonly ListedReason[] }) {
  const text = useText();
  const language = useLanguage();
  const queryClient = useQueryClient();
  const list = useEntries<TypedReason>(stored, empty);
  const { entries } = list;
  const [isChecked, setChecked] = useState(false);
  useLeaveQuestion(list.hasChanges);
  const saving = useAction(
    () => {
      const reasons = entries.map(({ id, texts, kinds }) => ({ ...(id !== undefined && { id }), texts, kinds }));
      return call(saveStaffReasons, { body: { reasons } });
    },
    {
      onSuccess: (saved) => {
        queryClient.setQueryData(reasonQueries.list().queryKey, saved);
        list.reset(saved);
        void notify(text('adminPhrases:saved'));
      },
    },
  );
  function save() {
    setChecked(true);
    if (entries.every(isComplete)) saving.mutate();
  }
  return (
    <>
      <ul aria-label={text('adminPhrases:reasons')} className="flex flex-col gap-3">
        {entries.map((reason, index) => (
          <EntryCard
            key={reason.key}
            name={reason.texts[language] || text('adminPhrases:entry', { number: index + 1 })}
            isFirst={index === 0}
            isLast={index === entries.length - 1}
            onMove={(by) => list.move(reason.key, by)}
            onRemove={() => list.remove(reason.key)}
          >
            <ReasonFields
              reason={reason}
              isChecked={isChecked}
              onChange={(values) => list.change(reason.key, values)}
            />
          </EntryCard>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button icon={<Plus aria-hidden="true" size={20} />} onPress={list.add}>
          {text('adminPhrases:add')}
        </Button>
        <Button kind="main" disabled={!list.hasChanges} busy={saving.isPending} onPress={save}>
          {text('adminPhrases:save')}
        </Button>
      </div>
    </>
  );
}

interface ReasonFieldsProps {
  reason: TypedReason;
  /** What is missing is said from the first try to save on. */
  isChecked: boolean;
  onChange: (values: Partial<TypedReason>) => void;
}

function ReasonFields({ reason, isChecked, onChange }: ReasonFieldsProps) {
  const text = useText();
  const { texts, kinds } = reason;
  return (
    <>
      <div className="grid gap-3 lg:grid-cols-3">
        {languages.map((language) => (
          <Field
            key={language}
            label={languageRecords[language].name}
            maxLength={120}
            value={texts[language]}
            error={isChecked && texts[language].trim() === '' ? text('adminPhrases:textNeeded') : undefined}
            onChange={({ target }) => onChange({ texts: { ...texts, [language]: target.value } })}
          />
        ))}
      </div>
      <CheckList
        legend={text('adminPhrases:kinds')}
        choices={reasonKinds.map((value) => ({ value, label: text(kindNames[value]) }))}
        chosen={kinds}
        onChange={(chosen) => onChange({ kinds: chosen })}
        error={isChecked && kinds.length === 0 ? text('adminPhrases:kindNeeded') : undefined}
        inLine
      />
    </>
  );
}
