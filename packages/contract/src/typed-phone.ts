/** A country whose national numbers are understood: `0` or nothing before the number. */
interface Country {
  code: string;
  /** Before a national number, not part of the international one. */
  trunk: string;
  /** Digits after the country code. */
  length: number;
}

/** The prefix of the page's country comes first where a number could belong to both. */
const countries: Country[] = [
  { code: '380', trunk: '0', length: 9 },
  { code: '48', trunk: '0', length: 9 },
];

/** Digits of other writing systems that phones and messengers paste. */
const otherDigits = /[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g;

/**
 * The number that a person means, as a plus and digits, from what they typed, pasted or had filled in: national and
 * international forms, with spaces, brackets, dashes, dots and `tel:`. `prefix` is what the field had at first (+380 or
 * +48), which says the country of a national number. What is not complete yet stays as it is, because the person is
 * still typing.
 */
export function internationalPhone(typed: string, prefix: string): string {
  const plain = typed.normalize('NFKC').replace(otherDigits, (digit) => String(digit.charCodeAt(0) & 0xf));
  const digits = plain.replace(/\D/g, '');
  const hasPlus = /^[^\d+]*[+＋]/.test(plain);
  const home = countries.find(({ code }) => `+${code}` === prefix);
  if (!hasPlus) return fromNational(digits, home);

  const country = countries.find(({ code }) => digits.startsWith(code));
  if (!country) return `+${digits}`;
  const rest = digits.slice(country.code.length);
  // A whole number was pasted or filled in after the prefix that the field already had.
  for (const other of countries) {
    const inner = rest.replace(/^00/, '');
    if (inner.startsWith(other.code) && inner.length === other.code.length + other.length) return `+${inner}`;
  }
  // National form after the prefix: the trunk digit is not part of the international number.
  if (country.trunk && rest.startsWith(country.trunk)) return `+${country.code}${rest.slice(country.trunk.length)}`;
  return `+${digits}`;
}

function fromNational(digits: string, home: Country | undefined): string {
  // 00 is the international prefix of most networks.
  if (digits.startsWith('00')) return digits.length > 2 ? `+${digits.slice(2)}` : digits;
  for (const { code, length } of countries) {
    if (digits.startsWith(code) && digits.length === code.length + length) return `+${digits}`;
  }
  // 80 50 … is how Ukrainian numbers were dialled for long, and how many are still written.
  const old = countries.find(({ code }) => code === '380');
  if (old && home === old && /^80\d{9}$/.test(digits)) return `+3${digits}`;
  if (!home) return digits;
  if (digits.startsWith(home.trunk) && digits.length === home.trunk.length + home.length) {
    return `+${home.code}${digits.slice(home.trunk.length)}`;
  }
  return digits.length === home.length && !digits.startsWith(home.trunk) ? `+${home.code}${digits}` : digits;
}
