import * as z from 'zod/mini';
import type { BankOptions } from '../bank.ts';
import { type BankDialect, createBankClient, textOrNull } from '../bank-client.ts';
import { BankFailure } from './schemas.ts';
import { refusalMeaningOf } from './terms.ts';

export type ClientOptions = Pick<BankOptions, 'baseUrl' | 'token' | 'onExchange' | 'timeoutMs'>;

/** Calls of the merchant API. */
export const createMonobankClient = ({ baseUrl, token, ...options }: ClientOptions) =>
  createBankClient(
    {
      baseUrl: `${baseUrl.replace(/\/$/, '')}/api/merchant`,
      headers: { 'x-token': token, 'x-cms': 'FPay' },
      secretFields: new Set(['file', 'cardToken', 'walletData', 'token', 'key']),
      namesIn,
      failureOf,
    },
    options,
  );

function namesIn(json: unknown) {
  const { invoiceId, merchantPaymInfo } = (json ?? {}) as Record<string, unknown>;
  const { reference } = (merchantPaymInfo ?? {}) as Record<string, unknown>;
  return { invoice: textOrNull(invoiceId), reference: textOrNull(reference) };
}

const failureOf: BankDialect['failureOf'] = (status, json) => {
  const said = z.safeParse(BankFailure, json);
  const failure = said.success ? said.data : {};
  const code = String(failure.errCode ?? status);
  const reason = failure.errText ?? `HTTP ${status}`;
  return isRefusal(status, code)
    ? { kind: 'refused', code, reason, meaning: refusalMeaningOf(code) }
    : { kind: 'unknown', reason: `${code}: ${reason}` };
};

/** Too many requests and the bank's own errors say nothing about the request; a 4xx and 'cancel not available' do. */
function isRefusal(status: number, code: string): boolean {
  if (code === 'CANCEL_NOT_AVAILABLE') return true;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}
