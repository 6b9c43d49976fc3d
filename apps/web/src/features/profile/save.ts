import type { User } from '@fpay/contract/account';
import { requestCode } from '@fpay/contract/sign-up';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from '../../api/call.ts';
import { errorText } from '../../api/error-text.ts';
import { ApiError } from '../../api/errors.ts';
import { text } from '../../i18n/i18n.ts';
import type { TextKey } from '../../i18n/text-key.ts';
import { notify } from '../../ui/popups.ts';
import { resendPauseMs } from '../../ui/send-again.tsx';
import { discardDraft } from './draft.ts';
import { changesOf, type Draft, type DraftField, type Mistakes, mistakesFrom, mistakesIn } from './edit.ts';
import { useEditUser } from './queries.ts';

/** What the server may want to see before it changes a phone or a password. */
export interface Proof {
  current_password: string;
  otp: string;
}

export interface AskedProof {
  /** The number the code went to; empty when no code is needed. */
  phone: string;
  sentAt: number;
  passwordMistake: TextKey | null;
  codeMistake: TextKey | null;
}

/** From typed to saved, with the server's question for a proof in between where it asks one. */
export function useSave(user: User, draft: Draft) {
  const editUser = useEditUser(user);
  const [mistakes, setMistakes] = useState<Mistakes>({});
  const [asked, setAsked] = useState<AskedProof | null>(null);
  const lastCode = useRef({ phone: '', sentAt: Number.NEGATIVE_INFINITY });
  const changes = changesOf(draft, user);

  async function sendCode(): Promise<void> {
    const { phone_number } = changes;
    await call(requestCode, { body: { phone_number, purpose: 'new_phone' } });
    lastCode.current = { phone: phone_number, sentAt: Date.now() };
  }

  async function askForProof(): Promise<void> {
    const { phone_number: phone } = changes;
    const { current } = lastCode;
    // Closing the popup and saving again is no reason for another message: the code just sent is still good.
    const isOnItsWay = current.phone === phone && Date.now() - current.sentAt < resendPauseMs;
    if (phone !== '' && !isOnItsWay) await sendCode();
    setAsked({ phone, sentAt: lastCode.current.sentAt, passwordMistake: null, codeMistake: null });
  }

  function show(error: unknown): void {
    const code = error instanceof ApiError ? error.code : null;
    if (code === 'wrong_password' || code === 'wrong_code') {
      setAsked(
        (open) =>
          open && {
            ...open,
            passwordMistake: code === 'wrong_password' ? 'refusals:wrongPassword' : null,
            codeMistake: code === 'wrong_code' ? 'refusals:wrongCode' : null,
          },
      );
      return;
    }
    const found = error instanceof ApiError ? mistakesFrom(error.errors) : {};
    if (code === 'user_exists') found.phone = 'refusals:userExists';
    setMistakes(found);
    if (Object.keys(found).length > 0) setAsked(null);
    else void notify(text(errorText(error)));
  }

  const { mutate, isPending, data, reset } = useMutation({
    mutationFn: async (proof: Proof | null) => {
      try {
        await editUser({ ...changes, ...proof });
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'proof_required') throw error;
        await askForProof();
        return 'proof';
      }
      discardDraft();
      setAsked(null);
      return 'saved';
    },
    onError: show,
  });

  return {
    mistakes,
    asked,
    isPending,
    isSaved: data === 'saved',
    save() {
      const found = mistakesIn(draft, user);
      setMistakes(found);
      if (Object.keys(found).length === 0) mutate(null);
    },
    prove: (proof: Proof) => mutate(proof),
    async sendAgain() {
      try {
        await sendCode();
        setAsked((open) => open && { ...open, sentAt: lastCode.current.sentAt, codeMistake: null });
      } catch (error) {
        show(error);
      }
    },
    closeProof: () => setAsked(null),
    /** What was wrong is being typed anew. */
    clearMistake: (field: DraftField) => setMistakes(({ [field]: _, ...others }) => others),
    startOver() {
      discardDraft();
      setMistakes({});
      reset();
    },
  };
}
