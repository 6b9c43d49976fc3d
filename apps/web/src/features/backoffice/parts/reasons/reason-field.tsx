import { longestReason, type ReasonKind } from '@fpay/contract/admin/reasons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLanguage, useText } from '../../../../i18n/use-text.ts';
import { Field } from '../../../../ui/form/field.tsx';
import { ChoiceChips } from '../choice-chips.tsx';
import { reasonQueries } from './reason-queries.ts';

const own = 'own';

interface ReasonFieldProps {
  kind: ReasonKind;
  /** The given reason; empty while there is none. */
  onChange: (reason: string) => void;
  /** It was tried to send without one. */
  isMissing?: boolean;
}

/** Why staff do it: a reason of the list in the language of the page, or their own words. */
export function ReasonField({ kind, onChange, isMissing = false }: ReasonFieldProps) {
  const text = useText();
  const language = useLanguage();
  const { data, isError } = useQuery(reasonQueries.list());
  const [chosen, setChosen] = useState('');
  const [typed, setTyped] = useState('');
  const listed = (data ?? [])
    .filter(({ kinds }) => kinds.includes(kind))
    .map(({ id, texts }) => ({ value: String(id), label: texts[language] }));
  // Without a list there is still a reason to type.
  const isOwn = chosen === own || (listed.length === 0 && (isError || data !== undefined));

  function choose(value: string) {
    setChosen(value);
    onChange(value === own ? typed.trim() : (listed.find((one) => one.value === value)?.label ?? ''));
  }
  function type(value: string) {
    setTyped(value);
    onChange(value.trim());
  }
  return (
    <div className="flex flex-col gap-2">
      {listed.length > 0 && (
        <ChoiceChips
          legend={text('admin:reason')}
          choices={[...listed, { value: own, label: text('admin:reasonOwn') }]}
          value={chosen}
          onChange={choose}
          wraps
        />
      )}
      {isOwn && (
        <Field
          label={text(listed.length > 0 ? 'admin:reasonInWords' : 'admin:reason')}
          maxLength={longestReason}
          value={typed}
          onChange={({ target }) => type(target.value)}
        />
      )}
      {isMissing && (
        <p role="alert" className="text-small text-error">
          {text('admin:reasonNeeded')}
        </p>
      )}
    </div>
  );
}
