import avatar1 from '../icons/avatar-1.svg';
import avatar2 from '../icons/avatar-2.svg';
import avatar3 from '../icons/avatar-3.svg';
import avatar4 from '../icons/avatar-4.svg';
import avatar5 from '../icons/avatar-5.svg';
import avatar6 from '../icons/avatar-6.svg';

const pictures = [avatar1, avatar2, avatar3, avatar4, avatar5, avatar6];
const usual = avatar4;

interface AvatarProps {
  /** 1 to 6. */
  icon: number;
  /** CSS px. */
  size: number;
}

/** Decorative, because the name is always beside it. */
export function Avatar({ icon, size }: AvatarProps) {
  return (
    <img
      src={pictures[icon - 1] ?? usual}
      alt=""
      width={size}
      height={size}
      className="max-w-none shrink-0 rounded-full"
      style={{ width: size, height: size }}
    />
  );
}
