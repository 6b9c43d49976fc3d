import { ApiError } from '../../api/errors.ts';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { useNow } from '../../ui/use-now.ts';

/** The server sends one code per half a minute to a number; nobody needs to find that out by a refusal. */
export const resendPauseMs = 30_000;

/** How long a refusal asks to wait; silence is no reason to. */
export function pauseAfter(error: unknown): number {
  return error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
}

/** Refused only because a code was sent a moment ago: there is nothing to complain about, it is on its way. */
export function isOnItsWay(error: unknown): boolean {
  return error instanceof ApiError && error.status === 429 && pauseAfter(error) <= resendPauseMs;
}

interface SendAgainProps {
  /** When the next code may be asked for, in Unix milliseconds. */
  from: number;
  busy: boolean;
  onPress: () => void;
}

export function SendAgain({ from, busy, onPress }: SendAgainProps) {
  const text = useText();
  useNow(1000);
  const seconds = Math.ceil((from - Date.now()) / 1000);
  return (
    <Button
      kind="text"
      size="s"
      className="self-center normal-case!"
      busy={busy}
      disabled={seconds > 0}
      disabledLabel={<span className="tabular">{text('auth:sendAgainIn', { seconds })}</span>}
      onPress={onPress}
    >
      {text('auth:sendAgain')}
    </Button>
  );
}
