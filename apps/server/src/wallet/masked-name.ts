/**
 * Enough of a name to recognise a friend, too little to find out who owns a number: 'Олена Коваль' becomes 'Ол… К.'.
 */
export function maskedName(name: string): string {
  const words = name.trim().split(/\s+/);
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : ''];
  const letters = [...first];
  const shown = letters.slice(0, Math.max(1, Math.min(2, letters.length - 1))).join('');
  const initial = [...last][0];
  return initial === undefined ? `${shown}…` : `${shown}… ${initial}.`;
}
