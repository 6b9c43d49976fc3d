/** In the address of a page whose driver comes back from the bank, whose answer may still be on its way. */
export const backFromBank = 'from-bank';
