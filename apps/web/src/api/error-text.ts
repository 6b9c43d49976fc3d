import type { RefusalCode } from '@fpay/contract/refusals';
import type { TextKey } from '../i18n/text-key.ts';
import { ApiError, NetworkError } from './errors.ts';

/** The server refuses with a code and an English text; drivers read it in their own language. */
const refusalText = {
  unauthenticated: 'refusals:unauthenticated',
  bad_credentials: 'refusals:badCredentials',
  forbidden: 'refusals:forbidden',
  banned: 'refusals:banned',
  invalid_signature: 'refusals:notAccepted',
  signature_expired: 'refusals:notAccepted',
  foreign_origin: 'refusals:notAccepted',
  not_found: 'refusals:notFound',
  repeated_request: 'refusals:repeated',
  body_too_large: 'refusals:tooLarge',
  json_only: 'refusals:notAccepted',
  csrf_mismatch: 'refusals:notAccepted',
  invalid_input: 'refusals:invalidInput',
  malformed_json: 'refusals:notAccepted',
  bad_request: 'refusals:notAccepted',
  nonce_reused: 'refusals:notAccepted',
  too_many_attempts: 'refusals:tooManyAttempts',
  maintenance: 'refusals:maintenance',
  database_away: 'refusals:unavailable',
  insufficient_balance: 'refusals:insufficientBalance',
  transfer_refused: 'refusals:transferRefused',
  closed_station: 'refusals:closedStation',
  user_not_found: 'refusals:userNotFound',
  transaction_not_found: 'refusals:transactionNotFound',
  no_receipt: 'refusals:noReceipt',
  already_reversed: 'refusals:alreadyReversed',
  not_reversible: 'refusals:notReversible',
  balance_too_small: 'refusals:balanceTooSmall',
  own_request: 'refusals:ownRequest',
  role_not_allowed: 'refusals:roleNotAllowed',
  action_not_applicable: 'refusals:actionNotApplicable',
  payment_final: 'refusals:paymentFinal',
  telegram_not_linked: 'refusals:telegramNotLinked',
  wallet_not_shareable: 'refusals:walletNotShareable',
  payment_not_held: 'refusals:paymentNotHeld',
  payment_not_captured: 'refusals:paymentNotCaptured',
  capture_too_high: 'refusals:captureTooHigh',
  refund_too_high: 'refusals:refundTooHigh',
  bank_away: 'refusals:bankAway',
  pricing_unavailable: 'refusals:pricingUnavailable',
  only_owner_gifts: 'refusals:onlyOwnerGifts',
  not_your_account: 'refusals:notYourAccount',
  own_balance: 'refusals:ownBalance',
  second_factor_required: 'refusals:secondFactorRequired',
  second_factor_not_by_sms: 'refusals:secondFactorNotBySms',
  sign_in_code_required: 'refusals:signInCodeRequired',
  station_not_found: 'refusals:stationNotFound',
  link_expired: 'refusals:linkExpired',
  car_not_found: 'refusals:carNotFound',
  bind_request_open: 'refusals:bindRequestOpen',
  feedback_denied: 'refusals:feedbackDenied',
  connector_taken: 'refusals:connectorTaken',
  code_missing: 'refusals:codeMissing',
  connector_in_use: 'refusals:connectorInUse',
  connector_not_ready: 'refusals:connectorNotReady',
  connector_out_of_service: 'refusals:connectorOutOfService',
  operation_open: 'refusals:operationOpen',
  price_changed: 'refusals:priceChanged',
  user_exists: 'refusals:userExists',
  proof_required: 'refusals:proofRequired',
  phone_not_proven: 'refusals:phoneNotProven',
  too_many_cars: 'refusals:tooManyCars',
  no_code_awaited: 'refusals:noCodeAwaited',
  account_has_operations: 'refusals:accountHasOperations',
  account_has_debt: 'refusals:accountHasDebt',
  account_has_balance: 'refusals:accountHasBalance',
  account_has_party: 'refusals:accountHasParty',
  account_is_staff: 'refusals:accountIsStaff',
  wrong_code: 'refusals:wrongCode',
  wrong_password: 'refusals:wrongPassword',
  sms_not_sent: 'refusals:smsNotSent',
  not_party_owner: 'refusals:notPartyOwner',
  password_reset_refused: 'refusals:passwordResetRefused',
  staff_not_in_party: 'refusals:staffNotInParty',
  already_in_party: 'refusals:alreadyInParty',
  party_owner_stays: 'refusals:partyOwnerStays',
  party_has_balance: 'refusals:partyHasBalance',
  party_has_operations: 'refusals:partyHasOperations',
  wallet_crosses_border: 'refusals:walletCrossesBorder',
  only_for_registered: 'generic:registeredOnly',
} as const satisfies Record<RefusalCode, TextKey>;

/** The text for anything that a call can throw. It is never the server's message or a code. */
export function errorText(error: unknown): TextKey {
  if (error instanceof NetworkError) return 'generic:noConnectionText';
  if (!(error instanceof ApiError)) return 'generic:somethingWrong';
  if (isKnown(error.code)) return refusalText[error.code];
  return error.status >= 500 ? 'refusals:serverError' : 'generic:somethingWrong';
}

function isKnown(code: string | null): code is RefusalCode {
  return code !== null && Object.hasOwn(refusalText, code);
}
