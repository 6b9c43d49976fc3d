import RefreshCw from 'lucide-react/icons/refresh-cw';
import { useEffect, useState } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { IconButton } from './icon-button.tsx';

const spinMs = 1000;
const lockMs = 2000;

interface RefreshButtonProps {
  onRefresh: () => void;
  /** Unix ms of the last request from any source, because right after it there is nothing new. */
  fetchedAt?: number;
}

/** Reloads from the server. It turns for a second and is locked for two, so that repeated presses send one request. */
export function RefreshButton({ onRefresh, fetchedAt = 0 }: RefreshButtonProps) {
  const text = useText();
  const [pressedAt, setPressedAt] = useState(0);
  const isLocked = useIsRecent(Math.max(pressedAt, fetchedAt), lockMs);
  const isTurning = useIsRecent(pressedAt, spinMs);
  return (
    <IconButton
      label={text('generic:refresh')}
      look="outlined"
      disabled={isLocked}
      icon={<RefreshCw aria-hidden="true" size={20} className={isTurning ? 'animate-spin' : undefined} />}
      onPress={() => {
        setPressedAt(Date.now());
        onRefresh();
      }}
    />
  );
}

/** True when less than this time has passed; renders again when it has. */
function useIsRecent(moment: number, withinMs: number): boolean {
  const [expired, setExpired] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setExpired(moment), Math.max(0, moment + withinMs - Date.now()));
    return () => clearTimeout(timer);
  }, [moment, withinMs]);
  return moment > 0 && expired !== moment && Date.now() - moment < withinMs;
}
