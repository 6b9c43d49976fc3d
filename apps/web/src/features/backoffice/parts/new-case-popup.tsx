import { openCase } from '@fpay/contract/admin/cases';
import { call } from '../../../api/call.ts';
import { useText } from '../../../i18n/use-text.ts';
import { useNavigate } from '../../../router/index.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { PopupFrame } from '../../../ui/overlay/popup-frame.tsx';
import { contractRules, useForm } from './use-form.ts';

/** Whom the case is about; missing where staff type it. */
export interface CaseSubject {
  user?: number;
  operation?: number;
}

interface NewCasePopupProps {
  about: CaseSubject;
  onClose: () => void;
}

interface TypedCase {
  user: string;
  subject: string;
  note: string;
}

const requestOf = ({ user, operation }: CaseSubject, typed: TypedCase) => ({
  ...(operation !== undefined
    ? { charging_operation_id: operation }
    : { user_id: user ?? (/^\d{1,15}$/.test(typed.user.trim()) ? Number(typed.user) : Number.NaN) }),
  subject: typed.subject,
  note: typed.note.trim() || null,
});

/** Makes a case of a call. */
export function NewCasePopup({ about, onClose }: NewCasePopupProps) {
  const text = useText();
  const navigate = useNavigate();
  const isTyped = about.user === undefined && about.operation === undefined;
  const { field, props, isBusy } = useForm({
    start: { user: '', subject: '', note: '' },
    rules: contractRules(openCase.body, (typed: TypedCase) => requestOf(about, typed), {
      user: { path: 'user_id', text: 'adminCases:personInvalid' },
      subject: { path: 'subject', text: 'adminCases:subjectRequired' },
    }),
    send: (typed: TypedCase) => call(openCase, { body: requestOf(about, typed) }),
    onSuccess: ({ id }) => {
      onClose();
      void navigate(`/admin/cases/${id}`);
    },
  });
  return (
    <PopupFrame open onClose={onClose} title={text('adminCases:newTitle')} titleClassName="text-h2">
      <form {...props} className="flex flex-col gap-4">
        {isTyped && <Field label={text('adminCases:personField')} inputMode="numeric" {...field('user')} />}
        <Field label={text('adminCases:subject')} maxLength={120} {...field('subject')} />
        <Field label={text('adminCases:said')} maxLength={2000} {...field('note')} />
        <Button type="submit" kind="main" busy={isBusy}>
          {text('adminCases:create')}
        </Button>
      </form>
    </PopupFrame>
  );
}
