import { requestCode } from '@fpay/contract/sign-up';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../api/call.ts';
import { ApiError } from '../../api/errors.ts';
import { currentLanguage } from '../../i18n/i18n.ts';
import type { TextKey } from '../../i18n/text-key.ts';
import { useNavigate } from '../../router/index.ts';
import { resendPauseMs } from '../../ui/send-again.tsx';
import { isOnItsWay, pauseAfter } from './code-pause.ts';

/** What the form has to say when it is the number that is refused. */
const mistakes: Record<number, TextKey> = { 409: 'refusals:userExists', 422: 'auth:phoneInvalid' };

/** The last code that was asked for. Outlives the page, so that going back and forth does not ask for another. */
let last: { phone: string; resendFrom: number } | null = null;

/** Has a sign-up code sent on arrival, and again when asked. */
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
      const mistake = problem instanceof ApiError && mistakes[problem.status];
      if (mistake) void navigate('/reg', { replace: true, state: { errors: { phone: mistake } } });
    },
  });

  useEffect(() => {
    const isOnItsWay = last?.phone === phone && last.resendFrom > Date.now();
    if (!isOnItsWay) mutate();
  }, [phone, mutate]);

  return { resendFrom, error: isOnItsWay(error) ? null : error, isPending, again: mutate };
}
