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

/** The invoice is not in a state to be paid: the page says so, a test gets 409. */
export class NotPayable extends Error {}

export type Bank = ReturnType<typeof createBank>;

/** What the bank does, for its merchant API and for the payer at its page alike. */
export function createBank({ db, clock, invoices, switches, webhooks }: Parts) {
  const switchesOf = (invoice: Invoice) => switches.effective(invoice.reference, invoice.id);
  const deadlineOf = (invoice: Invoice) => nextDeadline(invoice, switchesOf(invoice));

  /** Stores a change with the news of it. `expired` is the one thing the bank keeps to itself. */
  function save(invoice: Invoice, before: Invoice | null): Invoice {
    invoices.save(invoice, deadlineOf(invoice)?.at ?? null);
    const isNews = before !== null && JSON.stringify(told(before)) !== JSON.stringify(told(invoice));
    if (isNews && invoice.status !== 'expired') webhooks.announce(invoice);
    return invoice;
  }

  /** Lets time do to an invoice what is due, one thing after the other. */
  function pass(invoice: Invoice): Invoice {
    const now = clock.now();
    let current = invoice;
    for (;;) {
      const deadline = deadlineOf(current);
      if (!deadline || deadline.at > now) return current;
      current = settled(deadline.apply(current, now), current);
    }
  }

  /** A first success of an invoice that wants the card saved also makes a card token, which is news of its own. */
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
    return invoice && db.transaction(() => pass(invoice));
  }

  function get(id: string): Invoice {
    const invoice = find(id);
    if (!invoice) throw new BankRefusal('NOT_FOUND', "invalid 'invoiceId'");
    return invoice;
  }

  /** One step on one invoice, as one transaction; then whoever waits for news gets it. */
  function change(id: string, step: (invoice: Invoice, now: number) => Invoice): Invoice {
    const changed = db.transaction(() => {
      const before = get(id);
      return pass(settled(step(before, clock.now()), before));
    });
    webhooks.pump();
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

  /** The payer's card is asked. With a bank that does not think, there is nothing to see of the thinking. */
  function ask(invoice: Invoice, card: Card, errCode: string | null, now: number): Invoice {
    const asked = domain.startPayment(invoice, { card, trace: newTrace(), errCode }, now);
    return switchesOf(invoice).processingMs > 0 ? asked : domain.endPayment(asked, now);
  }

  /** Time went by: whatever is due happens, whoever waits for news gets it. */
  function tick(): void {
    for (const invoice of invoices.due(clock.now())) db.transaction(() => pass(invoice));
    webhooks.pump();
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
        // Whoever comes back from 3-D Secure pays with the card that was asked for.
        return ask(payable, payable.thinking && payable.card ? payable.card : cardOf(number), null, now);
      }),
    decline: (id: string, errCode = notEnoughMoney, number = testCard.number): Invoice =>
      change(id, (invoice, now) => ask(orNotPayable(invoice, false), invoice.card ?? cardOf(number), errCode, now)),
    payerCancels: (id: string): Invoice =>
      change(id, (invoice, now) => domain.decline(orNotPayable(invoice, false), payerCancelled, now)),
    /** The time of an unpaid invoice or of a hold runs out now. */
    expire: (id: string): Invoice =>
      change(id, (invoice, now) => {
        if (invoice.status === 'hold') return domain.lapse(invoice, now);
        return domain.expire(orNotPayable(invoice, false), now);
      }),
    /** The card's owner disputes the payment and the bank gives the money back. */
    chargeback: (id: string): Invoice =>
      change(id, (invoice, now) => {
        if (!domain.finalAmountOf(invoice)) throw new NotPayable('nothing was captured');
        return domain.chargeBack(invoice, returnTrace(), now);
      }),

    finalize: (id: string, asked: { amount?: number | undefined; items: BasketLine[] }): Invoice =>
      change(id, (invoice, now) => {
        const isPart = asked.amount !== undefined && asked.amount !== invoice.amount;
        if (isPart) needBasket(invoice.reference, asked.items, 'items');
        return domain.askCapture(invoice, asked, now);
      }),
    cancel: (
      id: string,
      asked: { amount?: number | undefined; extRef?: string | undefined; items: BasketLine[] },
    ): Invoice =>
      change(id, (invoice, now) => {
        if (invoice.captured) needBasket(invoice.reference, asked.items, 'items');
        const { amount, extRef = null, items } = asked;
        return domain.askCancel(invoice, { amount, extRef, items, trace: returnTrace() }, now);
      }),
    remove: (id: string): Invoice => change(id, domain.remove),

    payWithSavedCard(request: WalletPaymentRequest): Invoice {
      const saved = invoices.card(request.cardToken);
      if (!saved) throw new BankRefusal('TOKEN_NOT_FOUND', "'cardToken' is not known");
      const card: Card = { ...saved.card, paymentMethod: 'wallet' };
      const paid = db.transaction(() => {
        const invoice = open({ ...request, validity: 86_400, saveCardData: undefined });
        const now = clock.now();
        if (!switchesOf(invoice).walletNeeds3ds) return pass(settled(ask(invoice, card, null, now), invoice));
        const waiting = { card, trace: newTrace(), errCode: null, awaits3ds: true };
        return save(domain.startPayment(invoice, waiting, now), invoice);
      });
      webhooks.pump();
      return paid;
    },

    tick,
    /** Switches changed: waits are counted anew. */
    switched(): void {
      db.transaction(() => {
        for (const invoice of invoices.waiting()) invoices.save(invoice, deadlineOf(invoice)?.at ?? null);
        webhooks.reschedule();
      });
      tick();
    },
  };
}

/** What a merchant can see change: a return that is only under way is no news. */
function told({ status, walletData, cancels, captured }: Invoice) {
  return { status, walletData, captured, ended: cancels.filter((cancel) => cancel.status !== 'processing') };
}

/** The bank's ids begin with the day: 261115 and fourteen letters and digits. */
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
