/** Each error code of the bank with its HTTP status. Codes that are not listed have 400. */
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
  // The real bank answers 500 here although nothing is broken, so a caller must read the code, not the status.
  CANCEL_NOT_AVAILABLE: 500,
} as const satisfies Record<string, number>;

/** A refusal of the bank in the bank's format. */
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
