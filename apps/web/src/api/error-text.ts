import type { RefusalCode } from '@fpay/contract/refusals';
import type { TextKey } from '../i18n/text-key.ts';
import { ApiError, NetworkError } from './errors.ts';

/** Codes that share a text. The text of every other code has the code's own name: `price_changed`, `priceChanged`. */
const sharedText = {
  invalid_signature: 'refusals:notAccepted',
  signature_expired: 'refusals:notAccepted',
  foreign_origin: 'refusals:notAccepted',
  json_only: 'refusals:notAccepted',
  csrf_mismatch: 'refusals:notAccepted',
  malformed_json: 'refusals:notAccepted',
  bad_request: 'refusals:notAccepted',
  unknown_sort: 'refusals:notAccepted',
  nonce_reused: 'refusals:notAccepted',
  // Pages call with a session; only programs read these.
  api_key_invalid: 'refusals:notAccepted',
  api_key_expired: 'refusals:notAccepted',
  api_key_revoked: 'refusals:notAccepted',
  api_key_scope: 'refusals:notAccepted',
  repeated_request: 'refusals:repeated',
  body_too_large: 'refusals:tooLarge',
  database_away: 'refusals:unavailable',
  only_for_registered: 'generic:registeredOnly',
} as const satisfies Partial<Record<RefusalCode, TextKey>>;

type CamelCase<Name> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<CamelCase<Rest>>}` : Name;
/** A code without a text does not compile. */
type OwnText = `refusals:${CamelCase<Exclude<RefusalCode, keyof typeof sharedText>>}`;

/** The server refuses with a code and an English text; drivers read it in their own language. */
function refusalText(code: string): TextKey {
  if (Object.hasOwn(sharedText, code)) return sharedText[code as keyof typeof sharedText];
  return `refusals:${code.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}` as OwnText;
}

/**
 * The text for anything that a call can throw. It is never the server's message or a code: the text of a code that this
 * version does not know is the general one.
 */
export function errorText(error: unknown): TextKey {
  if (error instanceof NetworkError) return 'generic:noConnectionText';
  if (!(error instanceof ApiError)) return 'generic:somethingWrong';
  if (error.code) return refusalText(error.code);
  return error.status >= 500 ? 'refusals:serverError' : 'generic:somethingWrong';
}
