import Wifi from 'lucide-react/icons/wifi';
import WifiOff from 'lucide-react/icons/wifi-off';
import { useText } from '../../../../i18n/use-text.ts';
import { Badge } from '../../../../ui/layout/badge.tsx';

/** Whether a charge point is connected. One that never was is new, not broken. */
export function LinkBadge({ isOnline, isNew = false }: { isOnline: boolean; isNew?: boolean }) {
  const text = useText();
  const Icon = isOnline ? Wifi : WifiOff;
  return (
    <Badge tone={isOnline ? 'free' : isNew ? 'promo' : 'offline'} icon={<Icon aria-hidden="true" size={16} />}>
      {text(isOnline ? 'networkChargePoints:online' : isNew ? 'networkChargePoints:neverConnected' : 'network:offline')}
    </Badge>
  );
}
