import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import Minus from 'lucide-react/icons/minus';
import Plus from 'lucide-react/icons/plus';
import { useText } from '../../../../i18n/use-text.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { IconButton } from '../../../../ui/form/icon-button.tsx';
import { PopupFrame } from '../../../../ui/overlay/popup-frame.tsx';
import { type Arrangement, inWidths, moved } from './arrangement.ts';
import { type StaffColumn, widths } from './columns.ts';

interface ColumnsPopupProps<Row, Key extends string> {
  open: boolean;
  onClose: () => void;
  columns: readonly StaffColumn<Row, Key>[];
  arrangement: Arrangement;
  onArrange: (next: Arrangement) => void;
  /** Null: nothing was changed. */
  onReset: (() => void) | null;
}

/** Choice, order and width of columns, also for people without a pointer. Each change is seen at once and is kept. */
export function ColumnsPopup<Row, Key extends string>(props: ColumnsPopupProps<Row, Key>) {
  const { open, onClose, columns, arrangement, onArrange, onReset } = props;
  const text = useText();
  const { order, isShown, widths: setWidths } = arrangement;
  return (
    <PopupFrame open={open} onClose={onClose} title={text('admin:columns')} titleClassName="text-h2" closeButton>
      <ul className="flex flex-col">
        {order.map((id, index) => {
          const column = columns.find((known) => known.id === id);
          return (
            column && (
              <ColumnLine
                key={id}
                name={text(column.label)}
                isFixed={column.isFixed ?? false}
                isShown={isShown[id] ?? true}
                width={setWidths[id] ?? column.width}
                isFirst={index === 0}
                isLast={index === order.length - 1}
                onShow={(chosen) => onArrange({ ...arrangement, isShown: { ...isShown, [id]: chosen } })}
                onMove={(step) => onArrange({ ...arrangement, order: moved(order, id, step) })}
                onWidth={(px) => onArrange({ ...arrangement, widths: { ...setWidths, [id]: inWidths(px) } })}
              />
            )
          );
        })}
      </ul>
      {onReset && <Button onPress={onReset}>{text('admin:usualColumns')}</Button>}
    </PopupFrame>
  );
}

interface ColumnLineProps {
  name: string;
  isFixed: boolean;
  isShown: boolean;
  width: number;
  isFirst: boolean;
  isLast: boolean;
  onShow: (isShown: boolean) => void;
  onMove: (step: 1 | -1) => void;
  onWidth: (width: number) => void;
}

function ColumnLine({ name, isFixed, isShown, width, isFirst, isLast, onShow, onMove, onWidth }: ColumnLineProps) {
  const text = useText();
  return (
    <li className="flex items-center">
      <label className="flex min-h-11 min-w-0 flex-1 cursor-pointer items-center gap-3 text-body">
        <input
          type="checkbox"
          checked={isShown}
          disabled={isFixed}
          onChange={({ target }) => onShow(target.checked)}
          className="size-5 shrink-0 accent-free-fill"
        />
        <span className="truncate">{name}</span>
      </label>
      <IconButton
        label={text('admin:narrower', { column: name })}
        icon={<Minus size={18} />}
        disabled={!isShown || width <= widths.least}
        onPress={() => onWidth(width - widths.step)}
      />
      <IconButton
        label={text('admin:wider', { column: name })}
        icon={<Plus size={18} />}
        disabled={!isShown || width >= widths.most}
        onPress={() => onWidth(width + widths.step)}
      />
      <IconButton
        label={text('admin:moveUp', { column: name })}
        icon={<ArrowUp size={18} />}
        disabled={isFirst}
        onPress={() => onMove(-1)}
      />
      <IconButton
        label={text('admin:moveDown', { column: name })}
        icon={<ArrowDown size={18} />}
        disabled={isLast}
        onPress={() => onMove(1)}
      />
    </li>
  );
}
