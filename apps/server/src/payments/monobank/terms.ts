const day = 24 * 60 * 60_000;

/** What is known of monobank without a call, as `bank-terms.ts` asks it. The codes are those of its acquiring API, section 8. */
export const monobank = {
  url: 'https://api.monobank.ua',
  sandboxPath: '/bank',
  notificationPath: '/webhooks/monobank',
  holdLifeMs: 9 * day,
  declines: {
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
  },
} as const;

/** The code of a declined card whose validity has ended. */
export const expiredCardCode = '51';

const meanings = new Map<string, 'too_small' | 'unknown_card'>([
  ['1077', 'too_small'],
  ['1145', 'too_small'],
  ['TOKEN_NOT_FOUND', 'unknown_card'],
]);

/** What a code says about a refused request; null for most. */
export const refusalMeaningOf = (code: string) => meanings.get(code) ?? null;
