import { randomBytes, randomInt } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Database } from '../database.ts';
import { type Card, cardOf, testCard } from './card.ts';
import { nextDeadline } from './deadlines.ts';
import { notEnoughMoney, payerCancelled } from './declines.ts';
import type { BasketLine, Cancel, Invoice, Trace } from './invoice.ts';
import * as domain from './invoice.ts';
import { BankRefusal } from './refusal.ts';
import type { InvoiceStore } from './store.ts';
import type { BankSwitches } from './switches.ts';
import type { Webhooks } from './webhooks.ts';
import type { CreateRequest, WalletPaymentRequest } from './wire.ts';

interface Parts {
  db: Database;
  clock: Clock;
  invoices: InvoiceStore;
  switches: BankSwitches;
  webhooks: Webhooks;
}

/** The invoice cannot be paid in its present status: the page shows that, a test gets 409. */
export class NotPayable extends Error {}

export type Bank = ReturnType<typeof createBank>;

/** The actions of the bank, for its merchant API and for its payment page. */
export function createBank({ db, clock, invoices, switches, webhooks }: Parts) {
  const switchesOf = (invoice: Invoice) => switches.effective(invoice.reference, invoice.id);
  const deadlineOf = (invoice: Invoice) => nextDeadline(invoice, switchesOf(invoice));

  /** Stores a change with its webhook. The bank sends no webhook for `expired`. */
  function save(invoice: Invoice, before: Invoice | null): Invoice {
    invoices.save(invoice, deadlineOf(invoice)?.at ?? null);
    const isVisibleChange =
      before !== null && JSON.stringify(visibleToMerchant(before)) !== JSON.stringify(visibleToMerchant(invoice));
    if (isVisibleChange && invoice.status !== 'expired') webhooks.enqueue(invoice);
    return invoice;
  }

  /** Applies the due changes of an invoice one after the other. */
  function applyDue(invoice: Invoice): Invoice {
    const now = clock.now();
    let current = invoice;
    for (;;) {
      const deadline = deadlineOf(current);
      if (!deadline || deadline.at > now) return current;
      current = settled(deadline.apply(current, now), current);
    }
  }

  /** The first success of an invoice that saves the card also creates a card token, which has a webhook of its own. */
  function settled(next: Invoice, before: Invoice): Invoice {
    const isPaid = next.status === 'hold' || next.status === 'success';
    if (!isPaid || next.saveCardTo === null || next.walletData || !next.card) return save(next, before);
    const walletData = { cardToken: randomId(14), walletId: next.saveCardTo, status: 'new' as const };
    const saving = save({ ...next, walletData }, before);
    invoices.saveCard({ cardToken: walletData.cardToken, walletId: walletData.walletId, card: next.card });
    return save(domain.cardSaved(saving, clock.now()), saving);
  }

  function find(id: string): Invoice | undefined {
    const invoice = invoices.find(id);
    return invoice && db.transaction(() => applyDue(invoice));
  }

  function get(id: string): Invoice {
    const invoice = find(id);
    if (!invoice) throw new BankRefusal('NOT_FOUND', "invalid 'invoiceId'");
    return invoice;
  }

  /** Changes one invoice in one transaction, then sends the due webhooks. */
  function change(id: string, step: (invoice: Invoice, now: number) => Invoice): Invoice {
    const changed = db.transaction(() => {
      const before = get(id);
      return applyDue(settled(step(before, clock.now()), before));
    });
    webhooks.sendDue();
    return changed;
  }

  function needBasket(reference: string | null, lines: BasketLine[], what: string): void {
    if (switches.effective(reference).fiscal === 'required' && lines.length === 0) {
      const isCreation = what.startsWith('merchantPaymInfo');
      throw new BankRefusal(isCreation ? 'INVALID_MERCHANT_PAYM_INFO' : 'BAD_REQUEST', `empty '${what}'`);
    }
  }

  function open(request: CreateRequest): Invoice {
    const { merchantPaymInfo: info, saveCardData } = request;
    const basket = info?.basketOrder ?? [];
    needBasket(info?.reference ?? null, basket, 'merchantPaymInfo.basketOrder');
    const now = clock.now();
    return save(
      {
        id: newInvoiceId(now),
        status: 'created',
        paymentType: request.paymentType,
        amount: request.amount,
        ccy: request.ccy,
        createdAt: now,
        modifiedAt: now,
        validitySec: request.validity,
        reference: info?.reference ?? null,
        destination: info?.destination ?? null,
        redirectUrl: request.redirectUrl ?? null,
        webHookUrl: request.webHookUrl ?? null,
        basket,
        card: null,
        trace: null,
        thinking: null,
        heldAt: null,
        capturing: null,
        captured: null,
        cancels: [],
        failure: null,
        saveCardTo: saveCardData?.saveCard ? (saveCardData.walletId ?? randomId(32)) : null,
        walletData: null,
      },
      null,
    );
  }

  /** Starts processing the card. Without a processing delay the result is immediate. */
  function startProcessing(invoice: Invoice, card: Card, errCode: string | null, now: number): Invoice {
    const asked = domain.startPayment(invoice, { card, trace: newTrace(), errCode }, now);
    return switchesOf(invoice).processingMs > 0 ? asked : domain.endPayment(asked, now);
  }

  function declineOf(invoice: Invoice): string | null {
    const { walletDecline } = switchesOf(invoice);
    return walletDecline === 'off' ? null : walletDecline;
  }

  /** Applies everything that is due and sends the webhooks. */
  function tick(): void {
    for (const invoice of invoices.due(clock.now())) db.transaction(() => applyDue(invoice));
    webhooks.sendDue();
  }

  const orNotPayable = (invoice: Invoice, isLate: boolean): Invoice => {
    if (!domain.isPayable(invoice, isLate)) throw new NotPayable(`the invoice is ${invoice.status}`);
    return invoice;
  };

  return {
    find,
    get,
    create: (request: CreateRequest): Invoice => db.transaction(() => open(request)),

    pay: (id: string, { number = testCard.number, isLate = false } = {}): Invoice =>
      change(id, (invoice, now) => {
        const payable = orNotPayable(invoice, isLate);
        // A payer who returns from 3-D Secure pays with the card for which it was required.
        return startProcessing(payable, payable.thinking && payable.card ? payable.card : cardOf(number), null, now);
      }),
    decline: (id: string, errCode = notEnoughMoney, number = testCard.number): Invoice =>
      change(id, (invoice, now) =>
        startProcessing(orNotPayable(invoice, false), invoice.card ?? cardOf(number), errCode, now),
      ),
    payerCancels: (id: string): Invoice =>
      change(id, (invoice, now) => domain.decline(orNotPayable(invoice, false), payerCancelled, now)),
    /** Ends the validity of an unpaid invoice or of a hold now. */
    expire: (id: string): Invoice =>
      change(id, (invoice, now) => {
        if (invoice.status === 'hold') return domain.expireHold(invoice, now);
        return domain.expire(orNotPayable(invoice, false), now);
      }),
    /** The card's owner disputes the payment and the bank returns the money. */
    chargeback: (id: string): Invoice =>
      change(id, (invoice, now) => {
        if (!domain.finalAmountOf(invoice)) throw new NotPayable('nothing was captured');
        return domain.chargeBack(invoice, returnTrace(), now);
      }),

    finalize: (id: string, asked: { amount?: number | undefined; items: BasketLine[] }): Invoice =>
      change(id, (invoice, now) => {
        const isPart = asked.amount !== undefined && asked.amount !== invoice.amount;
        if (isPart) needBasket(invoice.reference, asked.items, 'items');
        return domain.acceptCapture(invoice, asked, now);
      }),
    cancel: (
      id: string,
      asked: { amount?: number | undefined; extRef?: string | undefined; items: BasketLine[] },
    ): Invoice =>
      change(id, (invoice, now) => {
        if (invoice.captured) needBasket(invoice.reference, asked.items, 'items');
        const { amount, extRef = null, items } = asked;
        return domain.acceptCancel(invoice, { amount, extRef, items, trace: returnTrace() }, now);
      }),
    remove: (id: string): Invoice => change(id, domain.remove),

    payWithSavedCard(request: WalletPaymentRequest): Invoice {
      const saved = invoices.card(request.cardToken);
      if (!saved) throw new BankRefusal('TOKEN_NOT_FOUND', "'cardToken' is not known");
      const card: Card = { ...saved.card, paymentMethod: 'wallet' };
      const paid = db.transaction(() => {
        const invoice = open({ ...request, validity: 86_400, saveCardData: undefined });
        const now = clock.now();
        if (!switchesOf(invoice).walletNeeds3ds)
          return applyDue(settled(startProcessing(invoice, card, declineOf(invoice), now), invoice));
        const waiting = { card, trace: newTrace(), errCode: null, awaits3ds: true };
        return save(domain.startPayment(invoice, waiting, now), invoice);
      });
      webhooks.sendDue();
      return paid;
    },

    tick,
    /** Switches changed, so waiting times are calculated again. */
    switchesChanged(): void {
      db.transaction(() => {
        for (const invoice of invoices.waiting()) invoices.save(invoice, deadlineOf(invoice)?.at ?? null);
        webhooks.reschedule();
      });
      tick();
    },
  };
}

/** The part of an invoice that a merchant sees; a refund in progress is not visible. */
function visibleToMerchant({ status, walletData, cancels, captured }: Invoice) {
  return { status, walletData, captured, ended: cancels.filter((cancel) => cancel.status !== 'processing') };
}

/** The bank's ids begin with the date: 261115 and fourteen letters and digits. */
function newInvoiceId(now: number): string {
  return new Date(now).toISOString().slice(2, 10).replaceAll('-', '') + randomId(14);
}

function randomId(length: number): string {
  const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
  return Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('');
}

function newTrace(): Trace {
  const digits = (count: number) => Array.from({ length: count }, () => randomInt(10)).join('');
  return { approvalCode: digits(6), rrn: digits(12), tranId: digits(8) };
}

function returnTrace(): Cancel['trace'] {
  const { approvalCode, rrn } = newTrace();
  return { approvalCode, rrn };
}
