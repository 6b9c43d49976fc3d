/** Shares as a line in a field of 280 by 80; one that is not known interrupts it. */
export function sharePath(shares: readonly (number | null)[]): string {
  const step = 280 / Math.max(1, shares.length - 1);
  let isDrawing = false;
  return shares
    .map((share, index) => {
      if (share === null) {
        isDrawing = false;
        return '';
      }
      const command = isDrawing ? 'L' : 'M';
      isDrawing = true;
      // A single day is drawn as a short line, because a point would be invisible.
      const isAlone = (shares[index + 1] ?? null) === null && command === 'M';
      const end = isAlone ? `h${index === shares.length - 1 ? -4 : 4}` : '';
      return `${command}${Math.round(index * step)} ${Math.round(79 - 78 * share)}${end}`;
    })
    .join('');
}
