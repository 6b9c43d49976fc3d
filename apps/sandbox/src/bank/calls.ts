import type { FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import { demo } from '../demo.ts';
import type { HeldConnections } from '../fault.ts';
import type { CallLog } from './call-log.ts';
import { checksOf, receiptOf, statementOf, wireChecks } from './documents.ts';
import { BankRefusal } from './refusal.ts';
import type { Bank } from './service.ts';
import type { SigningKey } from './signature.ts';
import type { InvoiceStore } from './store.ts';
import type { BankSwitches, CallName } from './switches.ts';
import * as wire from './wire.ts';

export interface BankParts {
  bank: Bank;
  invoices: InvoiceStore;
  key: SigningKey;
  switches: BankSwitches;
  callLog: CallLog;
  heldConnections: HeldConnections;
  clock: Clock;
  /** The sandbox's own address as seen by the caller. */
  origin(request: FastifyRequest): string;
}

export interface Call {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  name: CallName;
  answer(sent: unknown, origin: string): object;
}

/** The calls of the merchant API, each with its answer when no fault is switched on. */
export function merchantCalls(parts: BankParts): Call[] {
  return [...invoiceCalls(parts), ...checkCalls(parts), ...accountCalls(parts), ...cardCalls(parts)];
}

function invoiceCalls({ bank, switches }: BankParts): Call[] {
  return [
    {
      method: 'POST',
      path: '/invoice/create',
      name: 'create',
      answer(sent, origin) {
        const request = wire.read(wire.CreateRequest, sent);
        const { id } = bank.create(request);
        const pageUrl = `${origin}/bank/pay/${id}`;
        return { invoiceId: id, pageUrl, ...(request.withAppUrl && { appUrl: pageUrl }) };
      },
    },
    {
      method: 'GET',
      path: '/invoice/status',
      name: 'status',
      answer(sent) {
        const invoice = bank.get(wire.read(wire.InvoiceRequest, sent).invoiceId);
        const { newStatus } = switches.effective(invoice.reference, invoice.id);
        return { ...wire.statusAnswer(invoice), ...(newStatus !== 'off' && { status: newStatus }) };
      },
    },
    {
      method: 'POST',
      path: '/invoice/finalize',
      name: 'finalize',
      answer(sent) {
        const { invoiceId, ...asked } = wire.read(wire.FinalizeRequest, sent);
        bank.finalize(invoiceId, asked);
        return { status: 'success' };
      },
    },
    {
      method: 'POST',
      path: '/invoice/cancel',
      name: 'cancel',
      answer(sent) {
        const { invoiceId, ...asked } = wire.read(wire.CancelRequest, sent);
        const cancel = bank.cancel(invoiceId, asked).cancels.at(-1);
        if (!cancel) throw new Error('an accepted refund is not in the list');
        const { status, createdAt, modifiedAt } = cancel;
        return { status, createdDate: wire.wireDate(createdAt), modifiedDate: wire.wireDate(modifiedAt) };
      },
    },
    {
      method: 'POST',
      path: '/invoice/remove',
      name: 'remove',
      answer(sent) {
        bank.remove(wire.read(wire.InvoiceRequest, sent).invoiceId);
        return {};
      },
    },
  ];
}

function checkCalls({ bank, switches, clock }: BankParts): Call[] {
  return [
    {
      method: 'GET',
      path: '/invoice/receipt',
      name: 'receipt',
      answer: (sent) => {
        const invoice = bank.get(wire.read(wire.ReceiptRequest, sent).invoiceId);
        return { file: receiptOf(invoice).toString('base64') };
      },
    },
    {
      method: 'GET',
      path: '/invoice/fiscal-checks',
      name: 'fiscalChecks',
      answer(sent, origin) {
        const invoice = bank.get(wire.read(wire.InvoiceRequest, sent).invoiceId);
        const checks = checksOf(invoice, switches.effective(invoice.reference, invoice.id), clock.now());
        return { checks: wireChecks(invoice, checks, origin) };
      },
    },
  ];
}

function accountCalls({ invoices, key, clock }: BankParts): Call[] {
  return [
    { method: 'GET', path: '/pubkey', name: 'pubkey', answer: () => ({ key: key.publicKey() }) },
    { method: 'GET', path: '/details', name: 'details', answer: () => demo.merchant },
    {
      method: 'GET',
      path: '/statement',
      name: 'statement',
      answer(sent) {
        const request = wire.read(wire.StatementRequest, sent);
        const from = request.from * 1000;
        // The last second is included completely.
        const to = request.to === undefined ? clock.now() : request.to * 1000 + 999;
        if (to < from) throw new BankRefusal('BAD_REQUEST', "'to' is before 'from'");
        return { list: statementOf(invoices.movedBetween(from, to), from, to) };
      },
    },
  ];
}

function cardCalls({ bank, invoices }: BankParts): Call[] {
  return [
    {
      method: 'GET',
      path: '/wallet',
      name: 'wallet',
      answer: (sent) => ({
        wallet: invoices.cards(wire.read(wire.WalletRequest, sent).walletId).map(({ cardToken, card }) => ({
          cardToken,
          maskedPan: card.maskedPan,
          country: card.country,
        })),
      }),
    },
    {
      method: 'DELETE',
      path: '/wallet/card',
      name: 'wallet',
      answer(sent) {
        const { cardToken } = wire.read(wire.CardRequest, sent);
        if (!invoices.card(cardToken)) throw new BankRefusal('TOKEN_NOT_FOUND', "'cardToken' is not known");
        invoices.removeCard(cardToken);
        return {};
      },
    },
    {
      method: 'POST',
      path: '/wallet/payment',
      name: 'walletPayment',
      answer(sent, origin) {
        const invoice = bank.payWithSavedCard(wire.read(wire.WalletPaymentRequest, sent));
        const status = invoice.status === 'hold' ? 'success' : invoice.status;
        return {
          invoiceId: invoice.id,
          ...(invoice.thinking?.awaits3ds && { tdsUrl: `${origin}/bank/pay/${invoice.id}` }),
          status,
          ...(invoice.failure && { failureReason: invoice.failure.reason }),
          amount: invoice.amount,
          ccy: invoice.ccy,
          createdDate: wire.wireDate(invoice.createdAt),
          modifiedDate: wire.wireDate(invoice.modifiedAt),
        };
      },
    },
  ];
}
