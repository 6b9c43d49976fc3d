/** How numbers of the countries we serve are read aloud: the code, then these groups. */
const groupings: { code: string; groups: number[] }[] = [
  { code: '+380', groups: [2, 3, 2, 2] },
  { code: '+48', groups: [3, 3, 3] },
];

/** `+380671234567` → `+380 67 123 45 67`. A number of another country stays in one piece. */
export function formatPhone(phone: string): string {
  const known = groupings.find(({ code }) => phone.startsWith(code));
  if (!known) return phone;
  const parts = [known.code];
  let rest = phone.slice(known.code.length);
  for (const size of known.groups) {
    if (!rest) break;
    parts.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  return parts.join(' ') + rest;
}

/** What is left of typed or pasted text: digits and a leading plus. */
export function phoneDigits(typed: string): string {
  const digits = typed.replace(/\D/g, '');
  return typed.trimStart().startsWith('+') ? `+${digits}` : digits;
}
