/** The credentials with which the demo's product is configured. They give access to test money only. */
export const demo = {
  bankToken: 'sandbox-merchant-token',
  smsToken: 'sandbox-sms-token',
  /** Alpha-names that are approved and paid for. */
  smsSenders: ['FPay', 'TAXI', 'MAGAZIN', 'BEAUTY'],
  botToken: '7000000001:sandbox-bot-token-0123456789abcdefghi',
  botUsername: 'fpay_demo_bot',
  botName: 'FPay',
  merchant: { merchantId: 'fpaySandbox1', merchantName: 'FPay', edrpou: '43210987' },
} as const;
