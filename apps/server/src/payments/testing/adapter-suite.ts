import { randomUUID } from 'node:crypto';
import { kopecks } from '@fpay/contract/money';
import { describe, expect, test } from 'vitest';
import type { BankApi, BankNotification, Exchange, FiscalItem, NewInvoice } from '../bank.ts';
import { bankTerms } from '../bank-terms.ts';
import { declineReasonOf } from '../decline.ts';

/** A bank that the suite talks to: the sandbox's, or the real one, where no payer can be played. */
export interface BankUnderTest {
  bank: BankApi;
  /** Every exchange so far, and what may never be in one. */
  exchanges: readonly Exchange[];
  secrets: readonly string[];
  /** A notification of this invoice that the bank did not sign, and one without any signature. */
  forged: (invoice: string) => BankNotification[];
  /** Plays the payer and the time; null with a real bank. */
  payer: {
    pay(invoice: string): Promise<void>;
    decline(invoice: string, code: string): Promise<void>;
    /** What the bank has accepted is done afterwards. */
    pass(): void;
    /** The notification that the bank sent last about this invoice. */
    notified(invoice: string): Promise<BankNotification>;
  } | null;
}

const item = (amount: number): FiscalItem => ({ name: 'Зарядка', code: 'EV-CHARGING', amount: kopecks(amount) });

/**
 * What the product relies on from any bank. Each adapter's test runs it; what the bank does beyond it stays in the
 * adapter's own tests.
 */
export function describeBank(name: string, underTest: () => BankUnderTest): void {
  const bank = () => underTest().bank;
  const payer = () => {
    const { payer: played } = underTest();
    if (!played) throw new Error('this bank has no payer to play');
    return played;
  };

  function invoiceOf(kind: NewInvoice['kind'], amount: number, fiscalItem: FiscalItem | null = null): NewInvoice {
    return {
      reference: `FPAY-${1e9 + Math.floor(Math.random() * 1e9)}-${randomUUID().slice(0, 4)}`,
      amount: kopecks(amount),
      kind,
      description: 'Зарядка на станції F1001',
      redirectUrl: 'https://fpay.example/status/1',
      validSeconds: 900,
      fiscalItem,
    };
  }

  async function opened(kind: NewInvoice['kind'], amount = 100_00, fiscalItem: FiscalItem | null = null) {
    const answer = await bank().open(invoiceOf(kind, amount, fiscalItem));
    if (answer.kind !== 'done') throw new Error(answer.reason);
    return answer.value.invoice;
  }

  async function paid(kind: NewInvoice['kind'] = 'hold'): Promise<string> {
    const invoice = await opened(kind, 100_00, item(100_00));
    await payer().pay(invoice);
    return invoice;
  }

  async function statusOf(invoice: string) {
    const answer = await bank().invoiceStatus(invoice);
    if (answer.kind !== 'done') throw new Error(answer.reason);
    return answer.value;
  }

  describe(`${name}, as any bank,`, () => {
    test.each(['hold', 'debit'] as const)('opens an invoice for a %s with a page to pay at', async (kind) => {
      expect(await bank().open(invoiceOf(kind, 100_00))).toEqual({
        kind: 'done',
        value: { invoice: expect.stringMatching(/^[\w-]{10,}$/), pageUrl: expect.stringMatching(/^https?:\/\//) },
      });
    });

    test('returns the status of an unpaid invoice in kopecks of hryvnias', async () => {
      expect(await statusOf(await opened('hold', 123_45))).toMatchObject({
        status: 'created',
        amount: 123_45,
        currency: 980,
        returns: [],
        isCardExpired: false,
      });
    });

    test('refuses an unknown invoice, an unpaid capture and no amount with a code', async () => {
      const refused = { kind: 'refused', code: expect.any(String), reason: expect.any(String) };
      expect(await bank().invoiceStatus('261115NoSuchInvoice')).toMatchObject(refused);
      expect(await bank().finalize(await opened('hold'), kopecks(1_00), null)).toMatchObject(refused);
      expect(await bank().open(invoiceOf('hold', 0))).toMatchObject(refused);
    });

    test('withdraws an unpaid invoice, which cannot be paid any more', async () => {
      const invoice = await opened('hold');
      expect(await bank().remove(invoice)).toEqual({ kind: 'done', value: null });
      const status = await bank().invoiceStatus(invoice);
      expect(status.kind === 'done' ? status.value.status : status.kind).not.toBe('created');
    });

    test('accepts a fiscal basket [PAY-33]', async () => {
      expect(await opened('hold', 100_00, item(100_00))).toEqual(expect.any(String));
    });

    test('returns a statement', async () => {
      const answer = await bank().statement(new Date(Date.now() - 24 * 60 * 60_000), new Date());
      expect(answer).toMatchObject({ kind: 'done', value: expect.any(Array) });
    });

    test('recognises a forged notification', async () => {
      for (const notification of underTest().forged(await opened('hold'))) {
        expect(await bank().hint(notification)).toBe('forged');
      }
    });

    describe('with a payer', () => {
      test('captures a hold in part, exactly as asked', async ({ skip }) => {
        if (!underTest().payer) skip();
        const invoice = await paid();
        expect(await statusOf(invoice)).toMatchObject({ status: 'hold', amount: 100_00, finalAmount: null });
        expect(await bank().finalize(invoice, kopecks(40_00), item(40_00))).toEqual({ kind: 'done', value: null });
        payer().pass();
        expect(await statusOf(invoice)).toMatchObject({ status: 'success', finalAmount: 40_00 });
      });

      test('releases a hold completely', async ({ skip }) => {
        if (!underTest().payer) skip();
        const invoice = await paid();
        expect((await bank().cancel(invoice)).kind).toBe('done');
        payer().pass();
        expect(await statusOf(invoice)).toMatchObject({ status: 'reversed' });
      });

      test('refunds a captured sum in parts, each found by its reference', async ({ skip }) => {
        if (!underTest().payer) skip();
        const invoice = await paid('debit');
        await bank().refund(invoice, { amount: kopecks(30_00), ref: 'refund-a', fiscalItem: item(30_00) });
        payer().pass();
        expect(await statusOf(invoice)).toMatchObject({
          finalAmount: 70_00,
          returns: [{ ref: 'refund-a', status: 'success', amount: 30_00 }],
        });
      });

      test('reports why a card was declined, in a code that its terms know', async ({ skip }) => {
        if (!underTest().payer) skip();
        const [code = ''] = bankTerms[bank().provider].declines.not_enough_money;
        const invoice = await opened('hold');
        await payer().decline(invoice, code);
        const { status, errorCode } = await statusOf(invoice);
        expect([status, declineReasonOf(bank().provider, errorCode)]).toEqual(['failure', 'not_enough_money']);
      });

      test('signs its notifications, whose hint names the invoice and its sum', async ({ skip }) => {
        if (!underTest().payer) skip();
        const invoice = await paid();
        const notification = await payer().notified(invoice);
        expect(await bank().hint(notification)).toMatchObject({ invoice, amount: 100_00, currency: 980 });
        const changed = Buffer.from(
          String(notification.body).replace(/\d/, (digit) => String((Number(digit) + 1) % 10)),
        );
        expect(await bank().hint({ ...notification, body: changed })).toBe('forged');
      });
    });

    test('has every exchange recorded, without a secret', () => {
      const { exchanges, secrets } = underTest();
      expect(exchanges.length).toBeGreaterThan(10);
      for (const secret of secrets) expect(JSON.stringify(exchanges)).not.toContain(secret);
    });
  });
}
