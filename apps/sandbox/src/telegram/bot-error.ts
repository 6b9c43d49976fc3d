/** A refusal of the Bot API in its own format. */
export class BotError extends Error {
  readonly errorCode: number;
  readonly parameters: { retry_after: number } | undefined;
  constructor(errorCode: number, description: string, parameters?: { retry_after: number }) {
    super(description);
    this.errorCode = errorCode;
    this.parameters = parameters;
  }
}

export function badRequest(what: string): BotError {
  return new BotError(400, `Bad Request: ${what}`);
}

export function errorAnswer({ errorCode, message, parameters }: BotError) {
  return { ok: false, error_code: errorCode, description: message, ...(parameters && { parameters }) };
}
