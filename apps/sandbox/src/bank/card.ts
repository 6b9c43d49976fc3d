/** What the bank stores about a card. The whole number is discarded after the check, as on a real bank's page. */
export interface Card {
  maskedPan: string;
  paymentSystem: 'visa' | 'mastercard';
  paymentMethod: 'pan' | 'wallet';
  country: string;
  bank: string;
}

export interface CardForm {
  number: string;
  /** MM/YY */
  expiry: string;
  cvv: string;
}

/** Every check below accepts it, and so does the real bank's test mode. */
export const testCard: CardForm = { number: '4242 4242 4242 4242', expiry: '12/39', cvv: '123' };

export type CardFault = 'number' | 'expiry' | 'cvv';

export function cardFaults({ number, expiry, cvv }: CardForm, now: number): CardFault[] {
  const faults: CardFault[] = [];
  if (!passesLuhn(digitsOf(number))) faults.push('number');
  if (!isInFuture(expiry, now)) faults.push('expiry');
  if (!/^\d{3}$/.test(cvv.trim())) faults.push('cvv');
  return faults;
}

export function cardOf(number: string, paymentMethod: Card['paymentMethod'] = 'pan'): Card {
  const digits = digitsOf(number);
  return {
    maskedPan: `${digits.slice(0, 6)}${'*'.repeat(digits.length - 10)}${digits.slice(-4)}`,
    // The bank knows two systems, but its test mode accepts numbers of other schemes too.
    paymentSystem: digits.startsWith('4') ? 'visa' : 'mastercard',
    paymentMethod,
    country: '804',
    bank: 'Sandbox Bank',
  };
}

/**
 * The check digit of ISO/IEC 7812: every second digit from the right is doubled, and the sum of the digits ends in 0.
 */
export function passesLuhn(digits: string): boolean {
  if (!/^\d{13,19}$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

function digitsOf(number: string): string {
  return number.replace(/[\s-]/g, '');
}

function isInFuture(expiry: string, now: number): boolean {
  const match = /^(0[1-9]|1[0-2])\s*\/?\s*(\d{2})$/.exec(expiry.trim());
  if (!match) return false;
  // A card is valid until the end of its month.
  return Date.UTC(2000 + Number(match[2]), Number(match[1])) > now;
}
