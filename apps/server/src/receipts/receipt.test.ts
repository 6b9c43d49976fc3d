import { kopecks } from '@fpay/contract/money';
import { invoice } from '@fpay/contract/payments';
import decodeQR from 'qr/decode.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOperationReadings } from '../charging/curve.ts';
import { createOperationViews } from '../charging/view.ts';
import { type MoneyApi, startMoneyApi } from '../payments/testing/money-api.ts';
import { systemClock } from '../platform/clock.ts';
import type { Client } from '../testing/client.ts';
import { drawReceipt } from './draw.ts';
import type { Receipt } from './receipt.ts';
import { receiptRoutes } from './routes.ts';
import { createReceiptStore } from './store.ts';
import {
  drawnByPoppler,
  drawnByUs,
  fontFrom,
  hasPoppler,
  type Picture,
  scale,
  sought,
  wordsIn,
} from './testing/pdf-image.ts';
import { openPdf, readPdf } from './testing/pdf-text.ts';

const seller = {
  brand: 'FPay',
  name: 'ТОВ «ФПЕЙ УКРАЇНА»',
  edrpou: '43210987',
  vat: '432109826551',
  supportPhone: '0 800 000 000',
  site: 'fpay.ua',
};
const url = 'https://fpay.test/status/77';
const receipt: Receipt = {
  operation: 77,
  language: 'uk',
  station: 'F1400',
  address: 'вул. Ґонти, 3Є, Київ',
  car: 'Nissan Leaf',
  connector: { type: 'ccstype2', number: 2, power: 60_000 },
  startedAt: new Date('2026-11-15T22:03:00Z'),
  finishedAt: new Date('2026-11-15T23:12:00Z'),
  energyWh: 24_513,
  price: 15_50,
  idle: null,
  deposit: 400_00,
  captured: 379_95,
  refunded: 0,
  paidBy: { kind: 'card', maskedPan: '444403******1902', rrn: '060189181768' },
  fiscal: { number: '3512874562', url: 'https://cabinet.tax.gov.ua/cashregs/check?id=3512874562' },
  soc: { first: 18, last: 80 },
  curve: { beganAt: new Date('2026-11-15T22:03:00Z'), seconds: [0, 2070, 4140], powerW: [10_000, 48_200, 21_000] },
};
const draw = async (changes: Partial<Receipt> = {}) =>
  readPdf(await drawReceipt({ ...receipt, ...changes }, seller, url));

describe('a receipt', () => {
  test('has all texts in Ukrainian, with every letter drawn, in Kyiv time', async () => {
    const { text, blanks } = await draw();
    for (const words of [
      'Квитанція № 77',
      'СтанціяF1400',
      'вул. Ґонти, 3Є, Київ',
      'Роз’ємCCS2 № 2, 60 кВт',
      '16 листопада 2026 р. о 00:03',
      '16 листопада 2026 р. о 01:12',
      '24,513 кВт·год',
      '15,50 ₴',
      '379,95 ₴',
      'Картка *1902',
      'Код операції в банку060189181768',
      'АвтоNissan Leaf · 18 – 80 %',
      'Депозит400,00 ₴',
      'Розблоковано20,05 ₴',
      'Підтримка 0 800 000 000 · fpay.ua',
      'Тривалість',
      '1 год 9 хв',
      'час київський',
      'ТОВ «ФПЕЙ УКРАЇНА»',
      'Код ЄДРПОУ43210987',
      'ІПН платника ПДВ432109826551',
      'Фіскальний чек3512874562',
    ]) {
      expect(text).toContain(words);
    }
    expect(text).not.toMatch(/[\ufffd?]/);
    expect(blanks).toEqual([]);
  });

  test('has the idle fee in a line of its own, and the energy beside it', async () => {
    const idle = { minutes: 7, fee: 2_00, total: 14_00, energyTotal: 365_95 };
    const { text, blanks } = await draw({ idle });
    for (const words of ['За енергію365,95 ₴', 'Простій, 7 хв × 2,00 ₴14,00 ₴', '379,95 ₴'])
      expect(text).toContain(words);
    expect(blanks).toEqual([]);
    const capped = await draw({ idle: { ...idle, minutes: 90 } });
    expect(capped.text).toContain('Простій, 90 хв × 2,00 ₴14,00 ₴, не');
    expect(capped.text).toContain('депозиту');
    expect((await draw({ language: 'en', idle })).text).toContain('Idle fee, 7 min × 2.00 ₴14.00 ₴');
    expect((await draw({ language: 'pl', idle })).text).toContain('Postój, 7 min × 2,00 ₴14,00 ₴');
    expect((await draw()).text).not.toContain('Простій');
  });

  test('has all texts in Polish too, with all its letters', async () => {
    const { text, blanks } = await draw({ language: 'pl', address: 'ul. Święty Łęg 5, Zażółć gęślą jaźń' });
    for (const words of [
      'Potwierdzenie nr 77',
      'Początek ładowania',
      'Złącze',
      'Energia',
      '379,95 ₴',
      'Sposób płatności',
    ]) {
      expect(text).toContain(words);
    }
    expect(text).toContain('ul. Święty Łęg 5, Zażółć gęślą jaźń');
    expect(text).not.toMatch(/[\ufffd?]/);
    expect(blanks).toEqual([]);
  });

  test('of a charge from the balance names no card, and without fiscalisation no check [PAY-33]', async () => {
    const { text } = await draw({ language: 'en', paidBy: { kind: 'balance' }, fiscal: null });
    expect(text).toContain('Payment methodBalance');
    expect(text).not.toMatch(/Bank reference|Card|Fiscal/);
    const fiscal = await drawReceipt({ ...receipt, language: 'en' }, seller, url);
    expect(readPdf(fiscal).text).toContain('Fiscal receipt3512874562');
    expect(fiscal.toString('latin1')).toContain('https://cabinet.tax.gov.ua/cashregs/check?id=3512874562');
  });

  test('has the power over time as lines, with its scale, its times in Kyiv and its highest and mean value', async () => {
    const pdf = await drawReceipt(receipt, seller, url);
    const { text } = readPdf(pdf);
    for (const words of ['Потужність, кВт', 'найбільша 48,2 · середня 21,3', '60', '40', '20'])
      expect(text).toContain(words);
    for (const time of ['00:03', '00:20', '00:37', '00:54', '01:12']) expect(text).toContain(time);
    // Three points from the left to the right edge of the plot: the second is in the middle and the highest.
    const [, ...numbers] =
      /([\d.]+) ([\d.]+) m\s+([\d.]+) ([\d.]+) l\s+([\d.]+) ([\d.]+) l\s+1\.5 w/.exec(openPdf(pdf).page) ?? [];
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = numbers.map(Number);
    expect([x1, x3]).toEqual([79, 533]);
    expect(x2).toBeCloseTo((x1 + x3) / 2, 1);
    // From the top of the page: 10, 48.2 and 21 of 60 kW.
    expect((y1 - y2) / (y1 - y3)).toBeCloseTo(38.2 / 11, 1);
  });

  test.each([
    ['no readings', null],
    ['one reading', { beganAt: new Date(), seconds: [0], powerW: [10_000] }],
    ['no values of the power', { beganAt: new Date(), seconds: [0, 60], powerW: [null, null] }],
  ])('has no curve with %s', async (_, curve) => {
    const { text } = await draw({ curve, soc: null });
    expect(text).not.toContain('Потужність');
    expect(text).toContain('АвтоNissan Leaf');
    expect(text).not.toContain('18 –');
  });

  test('draws the apostrophe of Ukrainian names, however it was typed', async () => {
    for (const sign of ['’', 'ʼ']) {
      const { text } = await draw({ address: `вул. Кам${sign}янецька, 1` });
      expect(text).toContain('вул. Кам’янецька, 1');
    }
  });
});

const renderers: [string, (pdf: Buffer) => Picture][] = [['us', drawnByUs]];
// An independent renderer; not every machine has it.
if (hasPoppler) renderers.push(['poppler', drawnByPoppler]);

describe.each(renderers)('a receipt as a picture, drawn by %s', (_by, drawn) => {
  const fontsOf = (weight: 400 | 700) =>
    ['latin', 'cyrillic', 'latin-ext'].map((piece) =>
      fontFrom(new URL(`fonts/manrope-${piece}-${weight}.ttf`, import.meta.url)),
    );
  const fonts = { 400: fontsOf(400), 700: fontsOf(700) };
  const [charge, money] = [45, 314];
  const columnWidth = 236;
  /** The same words without the marks that make the letters Ukrainian or Polish. */
  const bare = (text: string) =>
    [...text.normalize('NFD').replace(/\p{M}/gu, '')].map((sign) => plain.get(sign) ?? sign).join('');
  const boxes = (text: string) => text.replace(/[^\x20-\x7e]/g, '?');
  const plain = new Map(
    Object.entries({ Ґ: 'Г', Є: 'Е', є: 'е', Ł: 'L', ł: 'l', '₴': 'S', '№': 'N', '«': '"', '»': '"' }),
  );

  const cases: [
    Receipt['language'],
    [words: string, column: number, size: number, weight: 400 | 700, isValue?: boolean][],
  ][] = [
    [
      'uk',
      [
        ['Станція', charge, 10, 400],
        ['Спосіб оплати', money, 10, 400],
        ['Код ЄДРПОУ', charge, 10, 400],
        ['Фіскальний чек', charge, 10, 400],
        ['вул. Ґонти, 3Є, Київ', charge, 10, 400, true],
        ['15,50 ₴', money, 10, 400, true],
        ['379,95 ₴', money, 10, 700, true],
        ['ТОВ «ФПЕЙ УКРАЇНА»', charge, 10, 400, true],
        ['Підтримка 0 800 000 000', charge, 9, 400],
      ],
    ],
    [
      'pl',
      [
        ['Złącze', charge, 10, 400],
        ['Początek ładowania', charge, 10, 400],
        ['Cena za kWh', money, 10, 400],
        ['Sposób płatności', money, 10, 400],
        ['Zażółć gęślą jaźń', charge, 10, 400, true],
        ['379,95 ₴', money, 10, 700, true],
      ],
    ],
  ];

  test.each(cases)('shows its %s words letter by letter', async (language, lines) => {
    const address = language === 'pl' ? 'Zażółć gęślą jaźń' : receipt.address;
    const page = drawn(await drawReceipt({ ...receipt, language, address }, seller, url));
    for (const [words, column, size, weight, isValue] of lines) {
      // A value ends at the right edge of its column.
      const left = isValue ? column + columnWidth - wordsIn(words, fonts[weight], size).width / scale - 2 : column;
      const look = (text: string, down: number, near?: number) =>
        sought(page, wordsIn(text, fonts[weight], size, down), left, near);
      const { top } = look(words, 0);
      const best = [0, 0.25, 0.5, 0.75].map((down) => ({ down, likeness: look(words, down, top).likeness }));
      const right = best.reduce((most, one) => (one.likeness > most.likeness ? one : most));
      expect(right.likeness, words).toBeGreaterThan(0.85);
      for (const wrong of [bare(words), boxes(words)].filter((text) => text !== words)) {
        const { likeness } = look(wrong, right.down, top);
        expect(right.likeness, `${words}, not ${wrong}`).toBeGreaterThan(likeness);
      }
    }
  });

  test('has a QR code that leads to the operation', async () => {
    const { width, height, ink } = drawn(await drawReceipt(receipt, seller, url));
    const data = new Uint8ClampedArray(width * height * 4);
    ink.forEach((dark, at) => void data.fill(255 * (1 - dark), at * 4, at * 4 + 4));
    expect(decodeQR({ width, height, data })).toBe(url);
  });
});

describe('GET /api/invoice/{id}', () => {
  let money: MoneyApi;
  beforeAll(async () => {
    money = await startMoneyApi({ isFiscal: true });
    const readings = createOperationReadings(money.db);
    const receipts = createReceiptStore(money.db);
    receiptRoutes(money.routes, { receipts, readings, seller, publicUrl: money.publicUrl });
    await money.listen();
  });
  afterAll(() => money.close());

  test('is a PDF named invoice-fpay-{id}.pdf, for the owner and for staff who watch operations [API-50]', async () => {
    const owner = await money.signedIn();
    const id = await paidByBalance(owner.id);
    for (const { client } of [owner, await money.signedIn('Support')]) {
      const answer = await client.call(invoice, { params: { id: String(id) } });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
      expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="invoice-fpay-${id}.pdf"`);
      expect(String(answer.body)).toMatch(/^%PDF-/);
    }
  });

  /** 50 UAH of a deposit of 100 from the balance. */
  async function paidByBalance(user: number): Promise<number> {
    await money.give(user, 100_00);
    const operation = await money.addOperation(user, { energy: 5_000 });
    const hold = { operation, user, method: 'bonuses', deposit: kopecks(100_00), description: 'Charging' } as const;
    const { id } = await money.steps.run((step) => money.payments.service.openHold(step, hold));
    await money.capture(id, 50_00);
    await money.endCharge(operation, 50_00);
    return operation;
  }

  const textOf = async ({ jar }: Client, operation: number) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(`${money.url}/api/invoice/${operation}`, { headers: { cookie } });
    // The bold sum is slightly lower than its label, so the reader sees two lines.
    return readPdf(Buffer.from(await answer.arrayBuffer())).text.replaceAll('\n', '');
  };

  test('shows what was captured, what was refunded and what remains', async () => {
    const owner = await money.signedIn();
    await money.db.updateTable('users').set({ language: 'en' }).where('id', '=', owner.id).execute();
    const held = await money.paidHold(owner.id, 300_00);
    await money.capture(held.id, 200_00);
    await money.runDue();
    const operation = held.operation ?? 0;
    // A part of the total could not be captured; the receipt shows the captured part.
    await money.endCharge(operation, 250_00);
    expect(await textOf(owner.client, operation)).toContain('Paid200.00 ₴');
    const staff = await money.addUser('Operator');
    const order = { staff: staff.id, payment: held.id, requestKey: 'receipt' };
    await money.payments.staffActions.act(order, { action: 'cancel_payment', amount: kopecks(70_00) });
    const text = await textOf(owner.client, operation);
    for (const words of ['Paid200.00 ₴', 'Refunded70.00 ₴', 'After the refund130.00 ₴']) expect(text).toContain(words);
  });

  test('of a balance payment that staff reversed shows the reversal', async () => {
    const [owner, operator] = [await money.signedIn(), await money.addUser('Operator')];
    await money.db.updateTable('users').set({ language: 'en' }).where('id', '=', owner.id).execute();
    const operation = await paidByBalance(owner.id);
    const list = await money.wallet.transactions(owner.id, {});
    const transaction = list.find(({ type }) => type === 'operation_payment')?.id ?? 0;
    const undo = { staff: operator.id, transaction, cancelPayment: false, allowPartial: true, requestKey: 'undo' };
    await money.staffMoney.cancelTransaction(undo);
    const text = await textOf(owner.client, operation);
    for (const words of ['Paid50.00 ₴', 'Refunded50.00 ₴', 'After the refund0.00 ₴']) expect(text).toContain(words);
  });

  test('does not exist for money that was never captured', async () => {
    const owner = await money.signedIn();
    const held = await money.paidHold(owner.id, 300_00);
    await money.release(held.id);
    await money.capture(held.id, 200_00);
    await money.pass(10_000);
    await money.endCharge(held.operation ?? 0, 200_00);
    const answer = await owner.client.call(invoice, { params: { id: String(held.operation) } });
    expect([answer.status, answer.body]).toEqual([404, expect.objectContaining({ code: 'no_receipt' })]);
    const seen = await createOperationViews(money.db, systemClock).operation(held.operation ?? 0);
    expect(seen?.operation.has_receipt).toBe(false);
  });

  test.each([
    ['uk', 'Картка', 'Хрещатик 1, Київ', '16 листопада 2026 р. о 01:30'],
    ['en', 'Card', 'Khreshchatyk 1, Kyiv', '16 November 2026 at 01:30'],
    ['pl', 'Karta', 'Khreshchatyk 1, Kyiv', '16 listopada 2026 01:30'],
  ] as const)(
    'of a card is in the owner’s language (%s) for every reader, with the data of the bank and the fiscal register, whose check the status links too [PAY-33] [API-50]',
    async (language, card, address, ended) => {
      const [owner, support] = [await money.signedIn(), await money.signedIn('Support')];
      await money.db.updateTable('users').set({ language }).where('id', '=', owner.id).execute();
      const held = await money.paidHold(owner.id, 300_00);
      await money.capture(held.id, 200_00);
      await money.runDue();
      await money.pass(20_000);
      const { maskedPan, rrn, fiscal, operation } = await money.payment(held.id);
      await money.db
        .updateTable('operations')
        .set({
          status: 'finished',
          energy_wh: 20_000,
          total: 200_00,
          payment_type: 'bank',
          finished_at: new Date('2026-11-15T23:30:00Z'),
        })
        .where('id', '=', operation ?? 0)
        .execute();
      const cookie = [...support.client.jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(`${money.url}/api/invoice/${operation}`, { headers: { cookie } });
      const pdf = Buffer.from(await answer.arrayBuffer());
      const { text } = readPdf(pdf);
      expect([maskedPan, rrn, fiscal?.number]).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
      expect(text).not.toContain(maskedPan?.slice(0, 6));
      for (const words of [
        `${card} *${maskedPan?.slice(-4)}`,
        rrn,
        fiscal?.number,
        address,
        ended,
        '200,00 ₴'.replace(',', language === 'en' ? '.' : ','),
      ]) {
        expect(text).toContain(words);
      }
      for (const url of [fiscal?.url, `${money.publicUrl.origin}/status/${operation}`]) {
        expect(pdf.toString('latin1')).toContain(`/URI (${url})`);
      }
      const seen = await createOperationViews(money.db, systemClock).operation(operation ?? 0);
      expect(seen?.operation.fiscal_url).toBe(fiscal?.url);
      expect(seen?.operation.has_receipt).toBe(true);
    },
  );

  test.each([
    ['uk', 'Безкоштовно', '0,00 ₴'],
    ['en', 'Free of charge', '0.00 ₴'],
    ['pl', 'Bezpłatnie', '0,00 ₴'],
  ] as const)('of a free charge says that there was nothing to pay (%s) [API-50]', async (language, free, nothing) => {
    const owner = await money.signedIn();
    await money.db.updateTable('users').set({ language }).where('id', '=', owner.id).execute();
    const operation = await money.addOperation(owner.id, { status: 'finished', paymentType: 'free', deposit: 0 });
    await money.db
      .updateTable('operations')
      .set({ energy_wh: 7_000, price: 0, finished_at: new Date('2026-11-15T23:30:00Z') })
      .where('id', '=', operation)
      .execute();
    const text = await textOf(owner.client, operation);
    for (const words of [free, nothing]) expect(text).toContain(words);
    // The button of the status page is only for charges that were not free.
    expect((await createOperationViews(money.db, systemClock).operation(operation))?.operation.has_receipt).toBe(false);
  });

  test('is not available to other users, and only for finished operations [API-50]', async () => {
    const [owner, other] = [await money.signedIn(), await money.signedIn()];
    const status = async (who: typeof owner, id: number) =>
      (await who.client.call(invoice, { params: { id: String(id) } })).status;
    const finished = await paidByBalance(owner.id);
    const ongoing = await money.addOperation(owner.id, { status: 'ongoing' });
    // The same answer as for an operation that does not exist, so that ids cannot be probed.
    const [theirs, none] = [String(finished), '9999999'].map((id) => other.client.call(invoice, { params: { id } }));
    expect((await theirs)?.status).toBe(404);
    expect((await theirs)?.body).toEqual((await none)?.body);
    expect([await status(owner, ongoing), await status(owner, 9_999_999)]).toEqual([404, 404]);
  });
});
