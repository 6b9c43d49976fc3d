import Unplug from 'lucide-react/icons/unplug';
import WifiOff from 'lucide-react/icons/wifi-off';
import { useText } from '../i18n/use-text.ts';
import { EmptyState } from './empty-state.tsx';
import { MainButton } from './main-button.tsx';

interface LoadFailureProps {
  /** Nobody answered at all: the driver's network is to blame. Otherwise we are. */
  isOffline: boolean;
  /** What is missing; without it: what happened. */
  title?: string;
  /** Second where the page keeps its own title above. */
  level?: 1 | 2;
  isTrying: boolean;
  onTry: () => void;
}

/** In place of what could not be had. */
export function LoadFailure({ isOffline, title, level = 1, isTrying, onTry }: LoadFailureProps) {
  const text = useText();
  return (
    <EmptyState
      level={level}
      drawing={isOffline ? <WifiOff size={64} strokeWidth={1.5} /> : <Unplug size={64} strokeWidth={1.5} />}
      tone={isOffline ? 'occupied' : 'error'}
      title={title ?? (isOffline ? text('generic:noConnection') : text('generic:somethingWrong'))}
      text={isOffline ? text('generic:noConnectionText') : text('generic:somethingWrongText')}
      actions={
        <MainButton busy={isTrying} onPress={onTry}>
          {text('generic:tryAgain')}
        </MainButton>
      }
    />
  );
}
