import type { DeclineReason } from '@fpay/contract/payments';

/** The bank's codes by what the payer can do about them (monobank acquiring, section 8). Others are `unknown`. */
const codes: Record<DeclineReason, readonly string[]> = {
  not_enough_money: ['59'],
  wrong_card_data: ['51', '80', '81', '1080', '1200', '1419'],
  card_limit: ['50', '58', '60', '61', '63'],
  lost_card: ['40', '41'],
  blocked_by_issuer: ['6', '71', '72', '75', '1165', '1193', '1408', '1413', '1428', '1406', '1407'],
  three_d_secure: ['1034', '1035', '1045', '1054', '1421', '1422', '1425', '1429', '1458', '8004'],
  canceled_by_payer: ['8002'],
  link_expired: ['8001'],
  bank_trouble: [
    '55',
    '57',
    '67',
    '73',
    '74',
    '82',
    '98',
    '1044',
    '1053',
    '1066',
    '1115',
    '1121',
    '8003',
    '8005',
    '8006',
  ],
  unknown: [],
};

const reasonByCode = new Map(
  Object.entries(codes).flatMap(([reason, list]) => list.map((code) => [code, reason as DeclineReason] as const)),
);

export function declineReasonOf(code: string | null): DeclineReason {
  return (code !== null && reasonByCode.get(code)) || 'unknown';
}
