import { addStationCodes, codeSheet, pointCode } from '@fpay/contract/admin/network/codes';
import { getLink } from '@fpay/contract/stations';
import decodeQR from 'qr/decode.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawnByPoppler, drawnByUs, hasPoppler, type Picture, scale } from '../../receipts/testing/pdf-image.ts';
import { readPdf } from '../../receipts/testing/pdf-text.ts';
import { networkFixture } from '../../stations/testing/network.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { drawCodeSheet } from './code-sheet.ts';

let server: TestServer;
let admin: Awaited<ReturnType<TestServer['signedIn']>>;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn('Admin');
  const network = networkFixture(server.db, server.steps, server.clock);
  for (const number of ['F1400', 'F1401', 'F1402']) await network.station({ number });
});
afterAll(() => server.close());

/** The text of the code in a part of a drawn page; fractions of its width and height. */
function codeIn({ width, height, ink }: Picture, [left, top, right, bottom] = [0, 0, 1, 1]): string {
  const [x0, y0] = [Math.floor(width * left), Math.floor(height * top)];
  const [wide, high] = [Math.floor(width * right) - x0, Math.floor(height * bottom) - y0];
  const data = new Uint8ClampedArray(wide * high * 4).fill(255);
  for (let y = 0; y < high; y += 1) {
    for (let x = 0; x < wide; x += 1) {
      data.fill(255 * (1 - (ink[(y0 + y) * width + x0 + x] ?? 0)), 4 * (y * wide + x), 4 * (y * wide + x) + 3);
    }
  }
  return decodeQR({ width: wide, height: high, data });
}

const renderers: [string, (pdf: Buffer) => Picture][] = [['our renderer', drawnByUs]];
if (hasPoppler) renderers.push(['poppler', drawnByPoppler]);
const brand = { name: 'FPay', phone: '0 800 000 000' };
const sticker = (number: string) => ({
  number,
  url: `https://fpay.ua/qr/${number.toLowerCase()}`,
  address: 'просп. Слобожанський, 31Д, Дніпро',
});

test.each(renderers)('a printed A6 page is read back as the link of its station by %s [QR-08]', async (_, draw) => {
  const pdf = await drawCodeSheet([sticker('F1400')], 'a6', brand);
  const picture = draw(pdf);
  expect([Math.round(picture.width / scale), Math.round(picture.height / scale)]).toEqual([298, 420]);
  expect(codeIn(picture)).toBe('https://fpay.ua/qr/f1400');
});

test.each(renderers)('an A4 page has four codes, each in its quarter, read back by %s [QR-08]', async (_, draw) => {
  const numbers = ['F1400', 'F1401', 'F1402', 'F1403'];
  const picture = draw(await drawCodeSheet(numbers.map(sticker), 'a4', brand));
  const quarters: [number, number, number, number][] = [
    [0, 0, 0.5, 0.5],
    [0.5, 0, 1, 0.5],
    [0, 0.5, 0.5, 1],
    [0.5, 0.5, 1, 1],
  ];
  expect(quarters.map((quarter) => codeIn(picture, quarter))).toEqual(numbers.map((number) => sticker(number).url));
});

test('a sticker names its station, its address and the phone, with every letter drawn', async () => {
  const { text, blanks } = readPdf(await drawCodeSheet([sticker('F1400')], 'a6', brand));
  for (const words of [
    'FPay',
    'F1400',
    'Скануйте й заряджайте',
    'fpay.ua/qr/f1400',
    'Слобожанський',
    '0 800 000 000',
  ]) {
    expect(text).toContain(words);
  }
  expect(blanks).toEqual([]);
});

test('staff print codes of many stations, and a printed code can be re-pointed to another station [QR-08]', async () => {
  const sheet = (stations: string) => admin.client.get(`/api/admin/network/codes/sheet?stations=${stations}&size=a4`);
  expect(await sheet('F1400,F1401')).toMatchObject({ status: 409, body: { code: 'code_missing' } });
  const created = await admin.client.call(addStationCodes, { body: { stations: ['F1401', 'F1400'] } });
  expect(created.body).toEqual([
    { station: 'F1400', code: 'f1400' },
    { station: 'F1401', code: 'f1401' },
  ]);
  const again = await admin.client.call(addStationCodes, { body: { stations: ['F1400'] } });
  expect(again.body).toEqual([{ station: 'F1400', code: 'f1400' }]);
  expect(await sheet('F1400,F1401')).toMatchObject({ status: 200 });
  expect((await sheet('F1400')).headers.get('content-type')).toBe('application/pdf');
  expect(await sheet('F9999')).toMatchObject({ status: 404 });
  expect(await sheet('nonsense')).toMatchObject({ status: 422 });

  const target = async () => (await server.client().call(getLink, { params: { link: 'f1400' } })).body;
  expect(await target()).toEqual({ station_number: 'F1400', is_virtual: false });
  const moved = await admin.client.call(pointCode, { params: { code: 'f1400' }, body: { station: 'F1402' } });
  expect(moved.status).toBe(204);
  expect(await target()).toEqual({ station_number: 'F1402', is_virtual: false });
  // The number is taken as a code now, so the next one gets a tail.
  const other = await admin.client.call(addStationCodes, { body: { stations: ['F1400'] } });
  expect(other.body[0]?.code).toMatch(/^f1400-[0-9a-f]{6}$/);
  const unknown = await admin.client.call(pointCode, { params: { code: 'none' }, body: { station: 'F1402' } });
  expect(unknown.status).toBe(404);
  const records = await server.db
    .selectFrom('audit')
    .select(['action', 'before', 'after'])
    .where('action', 'like', 'station.%')
    .orderBy('id')
    .execute();
  expect(records.map(({ action }) => action)).toEqual(Array.from({ length: 4 }, () => 'station.link'));
  expect(records[2]).toMatchObject({ before: { code: 'f1400' }, after: { code: 'f1400' } });
  expect(codeSheet.produces).toBe('application/pdf');
});
