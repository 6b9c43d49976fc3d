import { useText } from '../../i18n/use-text.ts';
import { useNow } from '../hooks/use-now.ts';
import { Button } from './button.tsx';

/** The server sends one code per 30 seconds to a number; the button waits, so that there is no refusal. */
export const resendPauseMs = 30_000;

interface SendAgainProps {
  /** When the next code may be requested, in Unix milliseconds. */
  from: number;
  busy?: boolean;
  onPress: () => void;
}

/** Below the field of a code that has not arrived. */
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
