import { useText } from '../i18n/use-text.ts';
import { Button } from './button.tsx';
import { useNow } from './use-now.ts';

/** The server sends one code per half a minute to a number; nobody needs to find that out by a refusal. */
export const resendPauseMs = 30_000;

interface SendAgainProps {
  /** When the next code may be asked for, in Unix milliseconds. */
  from: number;
  busy?: boolean;
  onPress: () => void;
}

/** Below a field for a code that has not come. */
export function SendAgain({ from, busy = false, onPress }: SendAgainProps) {
  const text = useText();
  useNow(1000);
  const seconds = Math.ceil((from - Date.now()) / 1000);
  return (
    <Button
      kind="text"
      size="s"
      className="self-center bg-transparent! tracking-normal! normal-case!"
      busy={busy}
      disabled={seconds > 0}
      disabledLabel={<span className="tabular">{text('generic:sendAgainIn', { seconds })}</span>}
      onPress={onPress}
    >
      {text('generic:sendAgain')}
    </Button>
  );
}
