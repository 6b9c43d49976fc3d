/** Above it the value of before says more: 'was 1' and not '+24,825 %'. */
const mostPercent = 900;

/** In per cent; null when there is nothing to compare with. */
export function relativeChange({ now, week_ago: before }: { now: number; week_ago: number | null }): number | null {
  return before ? ((now - before) / before) * 100 : null;
}

export const saysTooLittle = (percent: number | null): boolean => percent !== null && Math.abs(percent) > mostPercent;
