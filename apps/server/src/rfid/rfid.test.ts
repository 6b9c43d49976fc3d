import { getUser } from '@fpay/contract/account';
import { activeOperations } from '@fpay/contract/charging';
import { deleteRfidCard, deleteRfidRequest, getRfidData, requestRfidBind } from '@fpay/contract/rfid';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Stack, startStack } from '../testing/stack.ts';
import { depositOfTap, maskedTag } from './card.ts';
import { cardUser, listening, newTag } from './testing/card-users.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

async function bound(balance: number) {
  const driver = await cardUser(stack, balance);
  const station = await stack.addScripted();
  await driver.client.call(requestRfidBind, { body: { station_number: station.number } });
  const tag = newTag();
  await station.device.call('Authorize', { idTag: tag });
  return { ...driver, ...station, tag };
}

test('cards and open requests are listed, cards masked [API-27] [API-28]', async () => {
  const { client } = await cardUser(stack);
  const station = await stack.addScripted();
  expect((await client.call(getRfidData)).body).toEqual({ cards: [], requests: [] });
  const asked = await client.call(requestRfidBind, { body: { station_number: station.number } });
  expect(asked.body.message).toMatch(/reader/);
  expect((await client.call(getRfidData)).body.requests).toMatchObject([{ station_number: station.number }]);
  expect(maskedTag('04ABCDEF12')).toBe('•••• EF12');
});

test('an unknown station is 404 “Station not found.”; a second request at a station is 409 [RFID-12]', async () => {
  const [first, second] = [await cardUser(stack), await cardUser(stack)];
  expect(await first.client.call(requestRfidBind, { body: { station_number: 'F9999' } })).toMatchObject({
    status: 404,
    body: { message: 'Station not found.' },
  });
  const station = await stack.addScripted();
  await first.client.call(requestRfidBind, { body: { station_number: station.number } });
  expect((await second.client.call(requestRfidBind, { body: { station_number: station.number } })).status).toBe(409);
});

test('the first unknown card shown there is bound; that tap is answered Invalid and does not charge [RFID-06] [RFID-08]', async () => {
  const { client, id } = await cardUser(stack, 500_00);
  const station = await stack.addScripted();
  const page = await listening(client, id);
  await client.call(requestRfidBind, { body: { station_number: station.number } });
  const tap = (await station.device.call('Authorize', { idTag: '04:ab:cd:ef' })) as { idTagInfo: { status: string } };
  expect(tap.idTagInfo.status).toBe('Invalid');
  const data = (await client.call(getRfidData)).body;
  expect(data).toMatchObject({ cards: [{ number: '•••• CDEF' }], requests: [] });
  expect((await client.call(activeOperations)).body).toEqual([]);
  await vi.waitFor(() =>
    expect(page.heard).toEqual(
      expect.arrayContaining([
        { type: 'rfid_card_update', eventType: 'requestSuccessful', stationNumber: station.number },
        { type: 'rfid_card_update', eventType: 'cardAdded', cardId: data.cards[0]?.id },
      ]),
    ),
  );
  page.stop();
});

test('a card bound to another user fails the request and stays bound [RFID-09]', async () => {
  const owner = await bound(0);
  const other = await cardUser(stack);
  const station = await stack.addScripted();
  const page = await listening(other.client, other.id);
  await other.client.call(requestRfidBind, { body: { station_number: station.number } });
  await station.device.call('Authorize', { idTag: owner.tag });
  await vi.waitFor(() =>
    expect(page.heard).toContainEqual({
      type: 'rfid_card_update',
      eventType: 'requestFailed',
      stationNumber: station.number,
    }),
  );
  expect((await other.client.call(getRfidData)).body).toEqual({ cards: [], requests: [] });
  expect((await owner.client.call(getRfidData)).body.cards.length).toBe(1);
  page.stop();
});

test('a request without a card expires after two minutes: requestExpired [RFID-07]', async () => {
  const { client, id } = await cardUser(stack);
  const station = await stack.addScripted();
  const page = await listening(client, id);
  await client.call(requestRfidBind, { body: { station_number: station.number } });
  const row = await stack.db
    .selectFrom('rfid_requests')
    .selectAll()
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow();
  expect(row.expires_at.getTime() - row.created_at.getTime()).toBe(120_000);
  await sql`update rfid_requests set expires_at = now(), next_action_at = now() where id = ${row.id}`.execute(stack.db);
  await vi.waitFor(
    () =>
      expect(page.heard).toContainEqual({
        type: 'rfid_card_update',
        eventType: 'requestExpired',
        stationNumber: station.number,
      }),
    { timeout: 5_000 },
  );
  const late = newTag();
  await station.device.call('Authorize', { idTag: late });
  expect((await client.call(getRfidData)).body.cards).toEqual([]);
  page.stop();
});

test('a bound card starts a charge from the balance, a second tap ends it [RFID-10]', async () => {
  const { client, device, tag } = await bound(200_00);
  const tap = (await device.call('Authorize', { idTag: tag.toLowerCase() })) as { idTagInfo: { status: string } };
  expect(tap.idTagInfo.status).toBe('Accepted');
  const { transactionId, idTagInfo } = await device.start(1, tag, 1_000);
  expect(idTagInfo.status).toBe('Accepted');
  const [open] = (await client.call(activeOperations)).body;
  expect(open).toMatchObject({ status: 'ongoing', deposit: 200_00 });
  expect((await client.call(getUser)).body.balance).toBe(0);
  await device.stop(transactionId, 1_200, { idTag: tag, reason: 'Local' });
  await stack.until(client, open?.id ?? 0, 'finished');
  expect((await client.call(getUser)).body.balance).toBe(200_00 - 3_00);
  const row = await stack.db
    .selectFrom('operations')
    .select(['source', 'stop_cause'])
    .where('id', '=', open?.id ?? 0)
    .executeTakeFirstOrThrow();
  expect(row).toEqual({ source: 'rfid', stop_cause: 'rfid' });
  await stack.checkBooks();
});

test('the deposit of a tap is the least of the balance, the card’s limit and the network’s [RFID-10]', () => {
  const networkLimit = 1000_00;
  expect(depositOfTap({ balance: 200_00, cardLimit: null, networkLimit })).toBe(200_00);
  expect(depositOfTap({ balance: 5000_00, cardLimit: null, networkLimit })).toBe(1000_00);
  expect(depositOfTap({ balance: 5000_00, cardLimit: 150_00, networkLimit })).toBe(150_00);
  expect(depositOfTap({ balance: 0, cardLimit: 150_00, networkLimit })).toBe(0);
});

test('a card without money is blocked, an unknown card is invalid; a start with it is stopped and never billed', async () => {
  const { device, tag } = await bound(0);
  expect(await device.call('Authorize', { idTag: tag })).toMatchObject({ idTagInfo: { status: 'Blocked' } });
  expect(await device.call('Authorize', { idTag: 'FFFF0000' })).toMatchObject({ idTagInfo: { status: 'Invalid' } });
  const started = await device.start(1, 'FFFF0000', 0);
  expect([started.transactionId > 0, started.idTagInfo.status]).toEqual([true, 'Invalid']);
});

test('cards and requests are deleted only by their owner [API-29] [API-30]', async () => {
  const owner = await bound(0);
  const other = await cardUser(stack);
  const [card] = (await owner.client.call(getRfidData)).body.cards;
  const params = { card: String(card?.id) };
  expect((await other.client.call(deleteRfidCard, { params })).status).toBe(404);
  expect((await owner.client.call(deleteRfidCard, { params })).status).toBe(204);
  const station = await stack.addScripted();
  await owner.client.call(requestRfidBind, { body: { station_number: station.number } });
  const [request] = (await owner.client.call(getRfidData)).body.requests;
  expect((await other.client.call(deleteRfidRequest, { params: { id: String(request?.id) } })).status).toBe(404);
  expect((await owner.client.call(deleteRfidRequest, { params: { id: String(request?.id) } })).status).toBe(204);
  expect((await owner.client.call(getRfidData)).body).toEqual({ cards: [], requests: [] });
});
