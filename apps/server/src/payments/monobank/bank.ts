import { currency } from '@fpay/contract/money';
import { isStorable } from '@fpay/contract/text';
import * as z from 'zod/mini';
import type { BankAnswer, BankApi, BankOptions, FiscalItem } from '../bank.ts';
import { createMonobankClient } from './client.ts';
import { fiscalCheckOf, invoiceStatusOf, statementLineOf } from './mapping.ts';
import * as schemas from './schemas.ts';
import { createSignatures } from './signature.ts';
import { monobank } from './terms.ts';

/** Acquiring by monobank ("plata by mono"). Its peculiarities are in the README of this folder. */
export function createMonobank({ baseUrl, token, siteUrl, clock, onExchange, timeoutMs }: BankOptions): BankApi {
  const notified = siteUrl === null ? {} : { webHookUrl: new URL(monobank.notificationPath, siteUrl).href };
  const call = createMonobankClient({
    baseUrl,
    token,
    ...(onExchange ? { onExchange } : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  const post = <S extends z.core.$ZodType>(path: string, body: Record<string, unknown>, schema: S) =>
    call({ method: 'POST', path, body }, schema);
  const get = <S extends z.core.$ZodType>(path: string, query: Record<string, string>, schema: S) =>
    call({ method: 'GET', path, query }, schema);

  async function fetchKey(): Promise<string | null> {
    const answer = await get('/pubkey', {}, schemas.PublicKey);
    return answer.kind === 'done' ? answer.value.key : null;
  }
  const signatures = createSignatures({ fetchKey, clock });

  return {
    provider: 'monobank',

    async open({ reference, amount, kind, description, redirectUrl, validSeconds, fiscalItem: item, walletId }) {
      const answer = await post(
        '/invoice/create',
        {
          amount,
          ccy: currency.isoNumber,
          merchantPaymInfo: { reference, destination: description.slice(0, 280), ...basket('basketOrder', item) },
          redirectUrl,
          ...notified,
          validity: validSeconds,
          paymentType: kind,
          ...(walletId ? { saveCardData: { saveCard: true, walletId } } : {}),
        },
        schemas.Created,
      );
      return mapped(answer, ({ invoiceId, pageUrl }) => ({ invoice: invoiceId, pageUrl }));
    },

    async payWithCard({ token: cardToken, reference, amount, kind, description, redirectUrl, fiscalItem: item }) {
      const answer = await post(
        '/wallet/payment',
        {
          cardToken,
          amount,
          ccy: currency.isoNumber,
          initiationKind: 'client',
          merchantPaymInfo: { reference, destination: description.slice(0, 280), ...basket('basketOrder', item) },
          redirectUrl,
          ...notified,
          // The bank's documents name no payment type here, so the usual one is left out.
          ...(kind === 'hold' ? { paymentType: kind } : {}),
        },
        schemas.WalletPaid,
      );
      return mapped(answer, ({ invoiceId, tdsUrl }) => ({ invoice: invoiceId, pageUrl: tdsUrl || null }));
    },

    removeCard: async (cardToken) =>
      mapped(await call({ method: 'DELETE', path: '/wallet/card', query: { cardToken } }, z.unknown()), () => null),

    invoiceStatus: async (invoice) =>
      mapped(await get('/invoice/status', { invoiceId: invoice }, schemas.Status), invoiceStatusOf),

    finalize: async (invoice, total, item) =>
      accepted(
        await post(
          '/invoice/finalize',
          { invoiceId: invoice, amount: total, ...basket('items', item) },
          schemas.Accepted,
        ),
      ),

    // Without an amount, because a hold can only be released completely.
    cancel: async (invoice) => accepted(await post('/invoice/cancel', { invoiceId: invoice }, schemas.Accepted)),

    refund: async (invoice, { amount, ref, fiscalItem: item }) =>
      accepted(
        await post(
          '/invoice/cancel',
          { invoiceId: invoice, amount, extRef: ref, ...basket('items', item) },
          schemas.Accepted,
        ),
      ),

    remove: async (invoice) => mapped(await post('/invoice/remove', { invoiceId: invoice }, z.unknown()), () => null),

    async statement(from, to) {
      const query = { from: seconds(from), to: seconds(to) };
      return mapped(await get('/statement', query, schemas.Statement), ({ list }) => list.map(statementLineOf));
    },

    fiscalCheck: async (invoice) =>
      mapped(await get('/invoice/fiscal-checks', { invoiceId: invoice }, schemas.FiscalChecks), fiscalCheckOf),

    async hint({ body, headers }) {
      const signature = headers['x-sign'];
      if (typeof signature !== 'string' || !(await signatures.isGenuine(body, signature))) return 'forged';
      const read = z.safeParse(schemas.Status, jsonOf(body));
      if (!read.success || !isStorable(read.data.invoiceId)) return 'unreadable';
      const { invoiceId, amount, ccy, reference } = read.data;
      const { modifiedAt } = invoiceStatusOf(read.data);
      return { invoice: invoiceId, amount, currency: ccy, modifiedAt, reference: reference ?? null };
    },
  };
}

function mapped<From, To>(answer: BankAnswer<From>, map: (value: From) => To): BankAnswer<To> {
  return answer.kind === 'done' ? { kind: 'done', value: map(answer.value) } : answer;
}

/** The bank answers 200 with `failure` in the body when it refuses a request. */
function accepted(answer: BankAnswer<z.infer<typeof schemas.Accepted>>): BankAnswer {
  if (answer.kind === 'done' && answer.value.status === 'failure') {
    return { kind: 'refused', code: 'failure', reason: 'the bank declined', meaning: null };
  }
  return mapped(answer, () => null);
}

/**
 * One line for the whole sum: `sum` is the price of one unit, so any other split would have to add up to the kopeck.
 */
function basket(field: 'basketOrder' | 'items', item: FiscalItem | null): Record<string, unknown> {
  if (!item) return {};
  const { name, code, amount } = item;
  return { [field]: [{ name: name.slice(0, 128), qty: 1, sum: amount, total: amount, unit: 'послуга', code }] };
}

function seconds(instant: Date): string {
  return String(Math.floor(instant.getTime() / 1000));
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
