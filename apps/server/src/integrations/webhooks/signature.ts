import { createHmac } from 'node:crypto';

/** The value of `FPay-Signature`: the time in seconds, and HMAC-SHA256 over `<time>.<body>` in hex. */
export function webhookSignature(secret: string, body: string, at: Date): string {
  const time = Math.floor(at.getTime() / 1000);
  const mac = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return `t=${time},v1=${mac}`;
}
