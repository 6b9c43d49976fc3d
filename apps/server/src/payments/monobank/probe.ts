import * as z from 'zod/mini';
import type { BankProbe } from '../bank.ts';

const Merchant = z.object({ merchantName: z.string(), edrpou: z.optional(z.string()) });

/** Whose token it is. It is no payment, so it is not recorded among them. */
export const probeMonobank: BankProbe = async ({ baseUrl, token, timeoutMs }) => {
  const response = await fetch(`${baseUrl.replace(/\/$/, '')}/api/merchant/details`, {
    headers: { 'x-token': token },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const { status, headers } = response;
  if (status === 401 || status === 403) return { kind: 'token_refused' };
  const read = z.safeParse(Merchant, await response.json().catch(() => null));
  if (status !== 200 || !read.success) return { kind: 'unexpected', status };
  const { merchantName, edrpou = null } = read.data;
  return { kind: 'ok', merchant: merchantName, edrpou, answeredAt: headers.get('date') };
};
