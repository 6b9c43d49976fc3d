import { requestCode } from '@fpay/contract/sign-up';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../api/call.ts';
import { isCodePending, pauseAfter } from '../../api/code-pause.ts';
import { ApiError } from '../../api/errors.ts';
import { currentLanguage } from '../../i18n/i18n.ts';
import type { TextKey } from '../../i18n/text-key.ts';
import { useNavigate } from '../../router/index.ts';
import { resendPauseMs } from '../../ui/form/send-again.tsx';

/** The form's error when the number is refused. */
const phoneErrors: Record<number, TextKey> = { 409: 'refusals:userExists', 422: 'auth:phoneInvalid' };

/** The last requested code. It survives the page, so that going back and forth does not request another one. */
let last: { phone: string; resendFrom: number } | null = null;

/** Requests a sign-up code when the page opens, and again on demand. */
export function useCode(phone: string) {
  const navigate = useNavigate();
  const [resendFrom, setResendFrom] = useState(() => (last?.phone === phone ? last.resendFrom : 0));

  function waitUntil(time: number): void {
    last = { phone, resendFrom: time };
    setResendFrom(time);
  }

  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      call(requestCode, { body: { phone_number: phone, purpose: 'sign_up', language: currentLanguage() } }),
    onMutate: () => waitUntil(Date.now() + resendPauseMs),
    onError: (problem) => {
      waitUntil(Date.now() + pauseAfter(problem));
      const phoneError = problem instanceof ApiError && phoneErrors[problem.status];
      if (phoneError) void navigate('/reg', { replace: true, state: { errors: { phone: phoneError } } });
    },
  });

  useEffect(() => {
    const isRecent = last?.phone === phone && last.resendFrom > Date.now();
    if (!isRecent) mutate();
  }, [phone, mutate]);

  return { resendFrom, error: isCodePending(error, resendPauseMs) ? null : error, isPending, again: mutate };
}
