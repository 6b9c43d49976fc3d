/** What the demo's product is configured with to be let in here. They open nothing but play money. */
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
