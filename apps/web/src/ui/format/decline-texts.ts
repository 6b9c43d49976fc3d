import type { DeclineReason } from '@fpay/contract/payments';
import type { TextKey } from '../../i18n/text-key.ts';

/** The bank's reason in plain words. */
export const declineTexts = {
  not_enough_money: 'status:declineMoney',
  wrong_card_data: 'status:declineData',
  card_limit: 'status:declineLimit',
  lost_card: 'status:declineLost',
  blocked_by_issuer: 'status:declineBlocked',
  three_d_secure: 'status:declineSecure',
  canceled_by_payer: 'status:declineCanceled',
  link_expired: 'status:declineExpired',
  bank_trouble: 'status:declineTrouble',
  unknown: 'status:declineUnknown',
} as const satisfies Record<DeclineReason, TextKey>;
