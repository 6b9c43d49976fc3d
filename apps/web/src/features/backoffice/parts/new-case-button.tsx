import MessageCirclePlus from 'lucide-react/icons/message-circle-plus';
import { useState } from 'react';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { type CaseSubject, NewCasePopup } from './new-case-popup.tsx';
import { useMay } from './use-may.ts';

/** On the page of a user or of an operation: a call about it becomes a case. */
export function NewCaseButton({ about }: { about: CaseSubject }) {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  if (!useMay('contact-users')) return null;
  return (
    <>
      <Button size="s" icon={<MessageCirclePlus aria-hidden="true" size={18} />} onPress={() => setOpen(true)}>
        {text('adminCases:new')}
      </Button>
      {isOpen && <NewCasePopup about={about} onClose={() => setOpen(false)} />}
    </>
  );
}
