/** Every answer of TurboSMS to the calls that we use, by its number. */
export const codes = {
  0: 'OK',
  1: 'PONG',
  103: 'REQUIRED_TOKEN',
  104: 'REQUIRED_CONTENT',
  105: 'REQUIRED_AUTH',
  106: 'REQUIRED_ACTIVE_USER',
  200: 'REQUIRED_MESSAGE_SENDER',
  201: 'REQUIRED_MESSAGE_TEXT',
  202: 'REQUIRED_MESSAGE_RECIPIENT',
  203: 'REQUIRED_BALANCE',
  300: 'INVALID_REQUEST',
  301: 'INVALID_TOKEN',
  302: 'INVALID_MESSAGE_SENDER',
  303: 'INVALID_START_TIME',
  304: 'INVALID_MESSAGE_TEXT',
  305: 'INVALID_PHONE',
  307: 'INVALID_MESSAGE_ID',
  400: 'NOT_ALLOWED_MESSAGE_SENDER',
  401: 'NOT_ALLOWED_MESSAGE_SENDER_NOT_ACTIVE',
  403: 'NOT_ALLOWED_START_TIME',
  404: 'NOT_ALLOWED_NUMBER_STOPLIST',
  405: 'NOT_ALLOWED_RECIPIENTS_LIMIT',
  406: 'NOT_ALLOWED_RECIPIENT_COUNTRY',
  407: 'NOT_ALLOWED_RECIPIENT_DUPLICATE',
  411: 'NOT_ALLOWED_MESSAGE_DATA',
  412: 'NOT_ALLOWED_MESSAGE_TEXT',
  413: 'NOT_ALLOWED_MESSAGE_TEXT_LENGTH',
  414: 'NOT_ALLOWED_MESSAGE_ID',
  500: 'FAILED_CONVERT_RESULT2JSON',
  501: 'FAILED_CONVERT_RESULT2XML',
  502: 'FAILED_PARSE_BODY',
  503: 'FAILED_SMS_SEND',
  504: 'FAILED_VIBER_SEND',
  505: 'FAILED_SAVE_IMAGE',
  800: 'SUCCESS_MESSAGE_ACCEPTED',
  801: 'SUCCESS_MESSAGE_SENT',
  802: 'SUCCESS_MESSAGE_PARTIAL_ACCEPTED',
  803: 'SUCCESS_MESSAGE_PARTIAL_SENT',
  999: 'FATAL_ERROR',
} as const satisfies Record<number, string>;

export type Code = keyof typeof codes;

export function isCode(code: number): code is Code {
  return code in codes;
}

/** Codes that apply to one recipient; the other recipients of the request still get the message. */
export const perRecipient: readonly Code[] = [305, 404, 406, 407];

/** The body of every answer; the HTTP status is 200 even for a refusal. */
export function answer(code: Code, result: unknown = null) {
  return { response_code: code, response_status: codes[code], response_result: result };
}

/** A refusal of the whole request. */
export class SmsRefusal extends Error {
  readonly code: Code;
  constructor(code: Code) {
    super(codes[code]);
    this.code = code;
  }
}
