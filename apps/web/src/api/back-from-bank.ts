/** Marks the address of a page to which the bank returns the driver; the bank's answer may still be pending. */
export const backFromBank = 'from-bank';
