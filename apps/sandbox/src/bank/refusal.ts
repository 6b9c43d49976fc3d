/** Each code of the bank with the HTTP status it comes with. A code that is not listed comes with 400. */
const statusOf = {
  BAD_REQUEST: 400,
  INVALID_MERCHANT_PAYM_INFO: 400,
  HOLD_INVOICE_NOT_FINALIZED: 400,
  WRONG_CANCEL_AMOUNT: 400,
  TOKEN_NOT_FOUND: 400,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  '1004': 404,
  METHOD_NOT_ALLOWED: 405,
  TMR: 429,
  INTERNAL_ERROR: 500,
  // The bank itself answers 500 here, although nothing is broken: a caller must read the code, not the status.
  CANCEL_NOT_AVAILABLE: 500,
} as const satisfies Record<string, number>;

/** A "no" of the bank, in its own shape. */
export class BankRefusal extends Error {
  readonly errCode: string;
  constructor(errCode: keyof typeof statusOf, errText: string) {
    super(errText);
    this.errCode = errCode;
  }
}

export function httpStatusOf(errCode: string): number {
  return errCode in statusOf ? statusOf[errCode as keyof typeof statusOf] : 400;
}
