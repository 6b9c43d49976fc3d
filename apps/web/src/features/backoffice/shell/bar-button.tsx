import Plus from 'lucide-react/icons/plus';
import { Button } from '../../../ui/form/button.tsx';

interface BarButtonProps {
  label: string;
  Icon?: typeof Plus;
  kind?: 'main' | 'secondary';
  onPress: () => void;
}

/** Adds to the page, or changes it. In the bar of a phone it is only a sign, because the title needs the room. */
export function BarButton({ label, Icon = Plus, kind = 'main', onPress }: BarButtonProps) {
  return (
    <Button
      size="s"
      kind={kind}
      className="max-sm:aspect-square max-sm:gap-0 max-sm:px-0"
      icon={<Icon aria-hidden="true" size={18} />}
      onPress={onPress}
    >
      <span className="sr-only sm:not-sr-only">{label}</span>
    </Button>
  );
}
