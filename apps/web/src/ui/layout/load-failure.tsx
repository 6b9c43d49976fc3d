import Unplug from 'lucide-react/icons/unplug';
import WifiOff from 'lucide-react/icons/wifi-off';
import { useText } from '../../i18n/use-text.ts';
import { MainButton } from '../form/main-button.tsx';
import { EmptyState } from './empty-state.tsx';

interface LoadFailureProps {
  /** True when there was no answer, so the driver's network is the cause; otherwise the error is ours. */
  isOffline: boolean;
  /** What is missing; by default, what happened. */
  title?: string;
  /** 2 when the page has its own title above. */
  level?: 1 | 2;
  isTrying: boolean;
  onTry: () => void;
}

/** Replaces what could not be loaded. */
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
