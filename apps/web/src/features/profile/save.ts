import type { User } from '@fpay/contract/account';
import { requestCode } from '@fpay/contract/sign-up';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from '../../api/call.ts';
import { ApiError } from '../../api/errors.ts';
import { showError } from '../../data/action.ts';
import type { TextKey } from '../../i18n/text-key.ts';
import { resendPauseMs } from '../../ui/form/send-again.tsx';
import { discardDraft } from './draft.ts';
import {
  checkProfile,
  type Draft,
  type DraftField,
  type ProfileErrors,
  profileChangesOf,
  profileErrorsFrom,
} from './edit.ts';
import { useEditUser } from './queries.ts';

/** What the server may require before it changes a phone or a password. */
export interface Proof {
  current_password: string;
  otp: string;
}

export interface RequiredProof {
  /** The number to which the code was sent; empty when no code is needed. */
  phone: string;
  sentAt: number;
  passwordError: TextKey | null;
  codeError: TextKey | null;
}

/** Saves the draft, and asks for a proof in between when the server requires one. */
export function useSave(user: User, draft: Draft) {
  const editUser = useEditUser(user);
  const [errors, setErrors] = useState<ProfileErrors>({});
  const [asked, setAsked] = useState<RequiredProof | null>(null);
  const lastCode = useRef({ phone: '', sentAt: Number.NEGATIVE_INFINITY });
  const changes = profileChangesOf(draft, user);

  async function sendCode(): Promise<void> {
    const { phone_number } = changes;
    await call(requestCode, { body: { phone_number, purpose: 'new_phone' } });
    lastCode.current = { phone: phone_number, sentAt: Date.now() };
  }

  async function askForProof(): Promise<void> {
    const { phone_number: phone } = changes;
    const { current } = lastCode;
    // After closing the popup and saving again, the pending code is still valid, so no other one is sent.
    const isPending = current.phone === phone && Date.now() - current.sentAt < resendPauseMs;
    if (phone !== '' && !isPending) await sendCode();
    setAsked({ phone, sentAt: lastCode.current.sentAt, passwordError: null, codeError: null });
  }

  function show(error: unknown): void {
    const code = error instanceof ApiError ? error.code : null;
    if (code === 'wrong_password' || code === 'wrong_code') {
      setAsked(
        (open) =>
          open && {
            ...open,
            passwordError: code === 'wrong_password' ? 'refusals:wrongPassword' : null,
            codeError: code === 'wrong_code' ? 'refusals:wrongCode' : null,
          },
      );
      return;
    }
    const found = error instanceof ApiError ? profileErrorsFrom(error.errors) : {};
    if (code === 'user_exists') found.phone = 'refusals:userExists';
    setErrors(found);
    if (Object.keys(found).length > 0) setAsked(null);
    else showError(error);
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
    errors,
    asked,
    isPending,
    isSaved: data === 'saved',
    save() {
      const found = checkProfile(draft, user);
      setErrors(found);
      if (Object.keys(found).length === 0) mutate(null);
    },
    prove: (proof: Proof) => mutate(proof),
    async sendAgain() {
      try {
        await sendCode();
        setAsked((open) => open && { ...open, sentAt: lastCode.current.sentAt, codeError: null });
      } catch (error) {
        show(error);
      }
    },
    closeProof: () => setAsked(null),
    /** The field is being edited again. */
    clearError: (field: DraftField) => setErrors(({ [field]: _, ...others }) => others),
    startOver() {
      discardDraft();
      setErrors({});
      reset();
    },
  };
}
