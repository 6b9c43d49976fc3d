import { crc32, deflateSync } from 'node:zlib';
import { addPhoto, mostPhotoBytes, mostPhotos, orderPhotos, removePhoto } from '@fpay/contract/admin/network/photos';
import { networkStation } from '@fpay/contract/admin/network/stations';
import { getPhoto } from '@fpay/contract/photos';
import { getStation } from '@fpay/contract/stations';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';

/** Staff add photos of stations, and drivers see pictures that the server has drawn itself. */
let server: TestServer;
let admin: Awaited<ReturnType<TestServer['signedIn']>>;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn('Admin');
});
afterAll(() => server.close());

let stations = 0;
async function aStation(): Promise<string> {
  const number = `F${7000 + ++stations}`;
  const place = { address: 'A', address_uk: 'А', lat: 48.5, lon: 35, is_virtual: false, created_at: new Date() };
  await server.db
    .insertInto('stations')
    .values({ number, ...place })
    .execute();
  return number;
}

let shades = 0;
/** A picture that is different each time. */
const aPicture = (width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: { r: ++shades, g: 120, b: 40 } } });
const send = (number: string, picture: Buffer) =>
  admin.client.call(addPhoto, { params: { number }, body: { content: picture.toString('base64') } });
const read = async (number: string) => (await admin.client.call(networkStation, { params: { number } })).body.photos;
const keysOf = async (number: string) => (await read(number)).map(({ key }) => key);
const load = (key: string, size = 'large') => fetch(`${server.url}/api/photo/${key}/${size}`);

/** The beginning of a PNG that claims this size; its pixels would need gigabytes. */
function bomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const data = deflateSync(Buffer.alloc(1_000_000));
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

test('a photo is drawn again without its metadata, turned as it was taken, and no larger than a screen', async () => {
  const number = await aStation();
  const taken = await aPicture(3_000, 2_000)
    .withExif({ IFD0: { Copyright: 'secret-of-the-phone' }, IFD3: { GPSLatitude: '48/1 30/1 0/1' } })
    // The camera was held upright.
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  expect((await sharp(taken).metadata()).exif).toBeTruthy();
  const { status, body } = await send(number, taken);
  expect(status).toBe(200);

  const answer = await load(body.key);
  expect(answer.headers.get('content-type')).toBe('image/webp');
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  const large = Buffer.from(await answer.arrayBuffer());
  expect(large.includes('secret-of-the-phone')).toBe(false);
  const { exif, icc, xmp, width, height, format } = await sharp(large).metadata();
  expect({ exif, icc, xmp, format }).toEqual({ exif: undefined, icc: undefined, xmp: undefined, format: 'webp' });
  expect([width, height]).toEqual([1_067, 1_600]);
  expect((await sharp(Buffer.from(await (await load(body.key, 'small')).arrayBuffer())).metadata()).height).toBe(480);

  const { client } = await server.signedIn('User');
  const page = await client.call(getStation, { params: { number } });
  expect(page.body.photos).toEqual([{ key: body.key, width: 1_067, height: 1_600 }]);
});

describe('what is no photo is refused with its reason', () => {
  test.each<[string, () => Buffer | Promise<Buffer>, string]>([
    ['a text', () => Buffer.from('<html>not a picture</html>'), 'not_an_image'],
    [
      'a drawing that may contain programs',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      'not_an_image',
    ],
    ['another format', () => aPicture().gif().toBuffer(), 'not_an_image'],
    [
      'half of a file',
      async () => (await aPicture(900, 900).jpeg({ quality: 100 }).toBuffer()).subarray(0, 400),
      'not_an_image',
    ],
    ['a small file that unpacks to gigabytes', () => bomb(60_000, 60_000), 'image_too_large'],
    ['a little over the limit of pixels', () => bomb(5_001, 5_000), 'image_too_large'],
  ])('%s', async (_name, make, code) => {
    const number = await aStation();
    expect(await send(number, await make())).toMatchObject({ status: 422, body: { code } });
    expect(await read(number)).toEqual([]);
  });

  test('text that is too short to be any bytes', async () => {
    const number = await aStation();
    const answer = await admin.client.call(addPhoto, { params: { number }, body: { content: '4' } });
    expect(answer).toMatchObject({ status: 422, body: { code: 'not_an_image' } });
  });

  test('more bytes than a page sends', async () => {
    const number = await aStation();
    const content = 'A'.repeat(Math.ceil(mostPhotoBytes / 3) * 4 + 4);
    expect((await admin.client.call(addPhoto, { params: { number }, body: { content } })).status).toBe(422);
    const far = 'A'.repeat(4_000_000);
    expect((await admin.client.call(addPhoto, { params: { number }, body: { content: far } })).status).toBe(413);
  });

  test('a photo of a station that does not exist', async () => {
    expect(await send('F9999', await aPicture().png().toBuffer())).toMatchObject({
      status: 404,
      body: { code: 'station_not_found' },
    });
  });
});

test('the same file is stored once, also when it arrives twice at the same time', async () => {
  const number = await aStation();
  const picture = await aPicture().png().toBuffer();
  const answers = await Promise.all([send(number, picture), send(number, picture), send(number, picture)]);
  expect(new Set(answers.map(({ body }) => body.key)).size).toBe(1);
  expect(await read(number)).toHaveLength(1);
});

test('a station has eight photos at most, also when more arrive at the same time', async () => {
  const number = await aStation();
  const pictures = await Promise.all(Array.from({ length: mostPhotos + 2 }, () => aPicture().png().toBuffer()));
  const answers = await Promise.all(pictures.map((picture) => send(number, picture)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(mostPhotos);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(2);
  expect(await read(number)).toHaveLength(mostPhotos);
});

test('staff set the order and remove photos, all on record', async () => {
  const number = await aStation();
  for (let count = 0; count < 3; count += 1) await send(number, await aPicture().png().toBuffer());
  const [first = '', second = '', third = ''] = await keysOf(number);
  const order = (keys: string[]) => admin.client.call(orderPhotos, { params: { number }, body: { keys } });
  expect((await order([third, first, second])).status).toBe(204);
  expect(await keysOf(number)).toEqual([third, first, second]);
  // A list that does not name exactly the present photos was made before somebody changed them.
  for (const wrong of [
    [third, first],
    [third, third, first],
    [third, first, '0'.repeat(32)],
  ]) {
    expect(await order(wrong)).toMatchObject({ status: 409, body: { code: 'action_not_applicable' } });
  }

  const remove = (of: string, key: string) => admin.client.call(removePhoto, { params: { number: of, key } });
  expect(await remove(await aStation(), third)).toMatchObject({ status: 404 });
  expect((await remove(number, third)).status).toBe(204);
  expect(await remove(number, third)).toMatchObject({ status: 404 });
  expect(await keysOf(number)).toEqual([first, second]);
  expect((await load(third)).status).toBe(404);
  expect((await admin.client.call(getPhoto, { params: { key: first, size: 'small' } })).status).toBe(200);

  const { id } = await server.db
    .selectFrom('stations')
    .select('id')
    .where('number', '=', number)
    .executeTakeFirstOrThrow();
  const records = await server.db
    .selectFrom('audit')
    .select('action')
    .where('subject_kind', '=', 'station')
    .where('subject_id', '=', String(id))
    .orderBy('id')
    .execute();
  expect(records.map(({ action }) => action)).toEqual([
    ...Array.from({ length: 3 }, () => 'station.photo-add'),
    'station.photo-order',
    'station.photo-remove',
  ]);
});
