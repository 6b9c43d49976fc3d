import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useOnChange } from './use-on-change.ts';
import { useOnce, useWhen } from './use-when.ts';

const seen: string[] = [];

function Probe({ value, other }: { value: string | null; other: number }) {
  useOnce(() => {
    seen.push(`once ${other}`);
  });
  useWhen(value, (there) => {
    seen.push(`when ${there} ${other}`);
  });
  useOnChange([value], () => {
    seen.push(`change ${value} ${other}`);
    return () => void seen.push(`over ${value}`);
  });
  return null;
}

it('an effect runs once, with a value, or with each change, and reads what is present then', () => {
  const { rerender, unmount } = render(<Probe value={null} other={1} />);
  expect(seen.splice(0)).toEqual(['once 1', 'change null 1']);
  rerender(<Probe value={null} other={2} />);
  expect(seen.splice(0)).toEqual([]);
  rerender(<Probe value="a" other={3} />);
  expect(seen.splice(0)).toEqual(['over null', 'when a 3', 'change a 3']);
  rerender(<Probe value="b" other={4} />);
  expect(seen.splice(0)).toEqual(['over a', 'change b 4']);
  rerender(<Probe value={null} other={5} />);
  rerender(<Probe value="c" other={6} />);
  expect(seen.splice(0)).toEqual(['over b', 'change null 5', 'over null', 'when c 6', 'change c 6']);
  unmount();
  expect(seen.splice(0)).toEqual(['over c']);
});
