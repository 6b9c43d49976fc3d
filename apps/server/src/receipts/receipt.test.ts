import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { invoice } from '@fpay/contract/payments';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MoneyApi, startMoneyApi } from '../payments/money-api.test-support.ts';
import { drawReceipt } from './draw.ts';
import { readPdf } from './pdf-text.test-support.ts';
import type { Receipt } from './receipt.ts';
import { receiptRoutes } from './routes.ts';
import { createReceiptStore } from './store.ts';

const seller = { brand: 'FPay', name: 'ТОВ «ФПЕЙ УКРАЇНА»', edrpou: '43210987', vat: '432109826551' };
const url = 'https://fpay.test/status/77';
const receipt: Receipt = {
  operation: 77,
  language: 'uk',
  station: 'F1400',
  address: 'вул. Ґонти, 3Є, Київ',
  connector: { type: 'ccstype2', number: 2 },
  startedAt: new Date('2026-11-15T22:03:00Z'),
  finishedAt: new Date('2026-11-15T23:12:00Z'),
  energyWh: 24_513,
  price: 15_50,
  total: 379_95,
  paidBy: { kind: 'card', maskedPan: '444403******1902', rrn: '060189181768' },
  fiscal: { number: '3512874562', url: 'https://cabinet.tax.gov.ua/cashregs/check?id=3512874562' },
};
const draw = async (changes: Partial<Receipt> = {}) =>
  readPdf(await drawReceipt({ ...receipt, ...changes }, seller, url));

describe('a receipt', () => {
  test('says everything in Ukrainian, with every letter drawn, in Kyiv time', async () => {
    const { text, blanks } = await draw();
    for (const words of [
      'Квитанція № 77',
      'СтанціяF1400',
      'вул. Ґонти, 3Є, Київ',
      'CCS2 · 2',
      '16 листопада 2026 р. о 00:03',
      '16 листопада 2026 р. о 01:12',
      '24,513 кВт·год',
      '15,50 ₴',
      '379,95 ₴',
      'Картка 444403******1902',
      'RRN060189181768',
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

  test('says it in Polish too, with all its letters', async () => {
    const { text, blanks } = await draw({ language: 'pl', address: 'ul. Święty Łęg 5, Zażółć gęślą jaźń' });
    for (const words of [
      'Pokwitowanie nr 77',
      'Początek ładowania',
      'Złącze',
      'Zużyta energia',
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
    expect(text).toContain('Payment methodAccount balance');
    expect(text).not.toMatch(/RRN|Card|Fiscal/);
    const fiscal = await drawReceipt({ ...receipt, language: 'en' }, seller, url);
    expect(readPdf(fiscal).text).toContain('Fiscal check3512874562');
    expect(fiscal.toString('latin1')).toContain('https://cabinet.tax.gov.ua/cashregs/check?id=3512874562');
  });

  // Rendering needs poppler, which not every machine has; the outlines of all letters are checked above in any case.
  test.runIf(hasPoppler())('as an image has ink where its lines are and a code in the corner', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fpay-receipt-'));
    try {
      writeFileSync(join(folder, 'receipt.pdf'), await drawReceipt(receipt, seller, url));
      const image = rendered(folder);
      expect(image.darkIn(0.08, 0.06, 0.4, 0.17)).toBeGreaterThan(0.02);
      expect(image.darkIn(0.38, 0.2, 0.9, 0.68)).toBeGreaterThan(0.02);
      expect(image.darkIn(0.72, 0.81, 0.91, 0.94)).toBeGreaterThan(0.3);
      expect(image.darkIn(0, 0, 1, 0.05)).toBe(0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

function hasPoppler(): boolean {
  return spawnSync('pdftoppm', ['-v']).status === 0;
}

/** Rendered by poppler as grey pixels. */
function rendered(folder: string) {
  execFileSync('pdftoppm', ['-gray', '-r', '72', join(folder, 'receipt.pdf'), join(folder, 'receipt')]);
  const file = readFileSync(join(folder, 'receipt-1.pgm'));
  const [, width = '0', height = '0'] = /^P5\s(\d+) (\d+)\s255\s/.exec(file.toString('latin1')) ?? [];
  const [w, h] = [Number(width), Number(height)];
  const pixels = file.subarray(file.length - w * h);
  return {
    /** The share of dark pixels between these corners, given as shares of the page. */
    darkIn(left: number, top: number, right: number, bottom: number): number {
      let [dark, all] = [0, 0];
      for (let y = Math.floor(top * h); y < Math.floor(bottom * h); y += 1) {
        for (let x = Math.floor(left * w); x < Math.floor(right * w); x += 1) {
          all += 1;
          if ((pixels[y * w + x] ?? 255) < 160) dark += 1;
        }
      }
      return dark / all;
    },
  };
}

describe('GET /api/invoice/{id}', () => {
  let money: MoneyApi;
  beforeAll(async () => {
    money = await startMoneyApi();
    receiptRoutes(money.routes, { receipts: createReceiptStore(money.db), seller, publicUrl: money.publicUrl });
    await money.listen();
  });
  afterAll(() => money.close());

  test('is a PDF named invoice-fpay-{id}.pdf, for the owner and for staff who watch operations [API-50]', async () => {
    const owner = await money.signedIn();
    const id = await money.addOperation(owner.id, {
      status: 'finished',
      energy: 5_000,
      total: 50_00,
      paymentType: 'bonuses',
    });
    for (const { client } of [owner, await money.signedIn('Support')]) {
      const answer = await client.call(invoice, { params: { id: String(id) } });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
      expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="invoice-fpay-${id}.pdf"`);
      expect(String(answer.body)).toMatch(/^%PDF-/);
    }
  });

  test('is nobody else’s, and only of what is finished and was not free [API-50]', async () => {
    const [owner, other] = [await money.signedIn(), await money.signedIn()];
    const status = async (who: typeof owner, id: number) =>
      (await who.client.call(invoice, { params: { id: String(id) } })).status;
    const finished = await money.addOperation(owner.id, { status: 'finished', total: 50_00, paymentType: 'bonuses' });
    const free = await money.addOperation(owner.id, { status: 'finished', paymentType: 'free', deposit: 0 });
    const ongoing = await money.addOperation(owner.id, { status: 'ongoing' });
    expect(await status(other, finished)).toBe(403);
    expect([await status(owner, free), await status(owner, ongoing), await status(owner, 9_999_999)]).toEqual([
      404, 404, 404,
    ]);
  });
});
