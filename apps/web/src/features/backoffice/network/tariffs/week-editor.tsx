import { useState } from 'react';
import { useWide } from '../../../../ui/hooks/use-wide.ts';
import { HoursForm } from './hours-form.tsx';
import { type Selection, type Week, withPrice } from './week.ts';
import { WeekBlocks, WeekGrid } from './week-grid.tsx';

interface WeekEditorProps {
  week: Week;
  isLocked: boolean;
  onChange: (week: Week) => void;
}

/** The hours of a week: a table to drag over where there is space, a list of blocks on a phone, and one form for both. */
export function WeekEditor({ week, isLocked, onChange }: WeekEditorProps) {
  const isWide = useWide();
  const [selection, setSelection] = useState<Selection>({ days: [1, 2, 3, 4, 5], from: 8, to: 20 });
  return (
    <div className="flex flex-col gap-3">
      {isWide ? (
        <WeekGrid week={week} selection={isLocked ? null : selection} onSelect={setSelection} />
      ) : (
        <WeekBlocks week={week} />
      )}
      {!isLocked && (
        <HoursForm
          selection={selection}
          onSelect={setSelection}
          onPrice={(price) => onChange(withPrice(week, selection, price))}
        />
      )}
    </div>
  );
}
