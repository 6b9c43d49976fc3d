import { getUser } from '@fpay/contract/account';
import { activeOperations } from '@fpay/contract/charging';
import { deleteRfidCard, getRfidData, requestRfidBind } from '@fpay/contract/rfid';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Client } from '../testing/client.ts';
import { type Stack, startStack } from '../testing/stack.ts';
import { cardUser, listening, newTag } from './testing/card-users.ts';

/** What a tap means at the station, for the card's owner and their money. */
let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

/** A driver with a bound card, and a station to tap it at. */
async function bound(balance: number, place: Parameters<Stack['addScripted']>[0] = {}) {
  const driver = await cardUser(stack, balance);
  const station = await stack.addScripted(place);
  const tag = newTag();
  await stack.db.insertInto('rfid_cards').values({ user_id: driver.id, id_tag: tag, created_at: new Date() }).execute();
  const tap = async () => {
    const { idTagInfo } = (await station.device.call('Authorize', { idTag: tag })) as { idTagInfo: { status: string } };
    return idTagInfo.status;
  };
  return { ...driver, ...station, tag, tap };
}

const balance = async (client: Client) => (await client.call(getUser)).body.balance;
const open = async (client: Client) => (await client.call(activeOperations)).body;

test('a card shown by starting a charge is bound as well: that start is Invalid and bills no user [RFID-08]', async () => {
  const { client } = await cardUser(stack, 500_00);
  const station = await stack.addScripted();
  await client.call(requestRfidBind, { body: { station_number: station.number } });
  const tag = newTag();
  const { transactionId, idTagInfo } = await station.device.start(1, tag, 1_000);
  expect([transactionId > 0, idTagInfo.status]).toEqual([true, 'Invalid']);
  await station.device.stop(transactionId, 1_050, { idTag: tag });
  expect((await client.call(getRfidData)).body).toMatchObject({
    cards: [{ number: `•••• ${tag.slice(-4)}` }],
    requests: [],
  });
  expect(await open(client)).toEqual([]);
  expect(await balance(client)).toBe(500_00);
  await stack.checkBooks();
});

test.each([
  ['the network’s limit of 1000 UAH', 5000_00, null, 1000_00],
  ['the card’s own limit', 5000_00, 150_00, 150_00],
  ['the balance', 90_00, 150_00, 90_00],
])('the deposit of a tap is the least of the three: %s [RFID-10]', async (_which, has, cardLimit, deposit) => {
  const { client, device, tag } = await bound(has);
  await sql`update rfid_cards set deposit_limit = ${cardLimit} where id_tag = ${tag}`.execute(stack.db);
  const { transactionId } = await device.start(1, tag, 1_000);
  const [operation] = await open(client);
  expect(operation).toMatchObject({ status: 'ongoing', deposit });
  expect(await balance(client)).toBe(has - deposit);
  await device.stop(transactionId, 1_200, { idTag: tag, reason: 'Local' });
  await stack.until(client, operation?.id ?? 0, 'finished');
  expect(await balance(client)).toBe(has - 3_00);
  await stack.checkBooks();
});

test('a tap needs money for 1 kWh at the connector’s price: with less the card is blocked, before a charge and at its start', async () => {
  const poor = await bound(14_99);
  expect(await poor.tap()).toBe('Blocked');
  const { transactionId, idTagInfo } = await poor.device.start(1, poor.tag, 1_000);
  expect(idTagInfo.status).toBe('Blocked');
  await poor.device.stop(transactionId, 1_010, { idTag: poor.tag });
  expect(await open(poor.client)).toEqual([]);
  expect(await balance(poor.client)).toBe(14_99);

  const enough = await bound(15_00);
  expect(await enough.tap()).toBe('Accepted');
  const started = await enough.device.start(1, enough.tag, 1_000);
  expect(started.idTagInfo.status).toBe('Accepted');
  await enough.device.stop(started.transactionId, 1_100, { idTag: enough.tag });
});

test('the card of an outsider at a closed party’s station, and that of a banned user, start nothing [PARTY-17]', async () => {
  const [outsider, banned, owner] = [await bound(100_00), await bound(100_00), await stack.driver()];
  const party = await stack.db
    .insertInto('parties')
    .values({ name: 'Таксі', owner_id: owner.id, is_closed: true, created_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();
  expect([await outsider.tap(), await banned.tap()]).toEqual(['Accepted', 'Accepted']);
  await stack.db.updateTable('stations').set({ party_id: party.id }).where('number', '=', outsider.number).execute();
  await sql`update users set role = 'Banned' where id = ${banned.id}`.execute(stack.db);
  for (const { tap, device, tag, id } of [outsider, banned]) {
    expect(await tap()).toBe('Blocked');
    const { transactionId, idTagInfo } = await device.start(1, tag, 1_000);
    expect(idTagInfo.status).toBe('Invalid');
    await device.stop(transactionId, 1_100, { idTag: tag });
    expect(await stack.wallet.balanceOf(id)).toBe(100_00);
    const begun = await stack.db.selectFrom('operations').select('id').where('user_id', '=', id).execute();
    expect(begun).toEqual([]);
  }
});

test('a tap does not start a charge on a connector that another driver has paid for in the app', async () => {
  const asked = await stack.askedToStart();
  const card = await cardUser(stack, 100_00);
  const tag = newTag();
  await stack.db.insertInto('rfid_cards').values({ user_id: card.id, id_tag: tag, created_at: new Date() }).execute();
  const pushed = await asked.device.start(1, tag, 1_000);
  expect(pushed.idTagInfo.status).toBe('Invalid');
  await asked.device.stop(pushed.transactionId, 1_010, { idTag: tag });
  expect(await balance(card.client)).toBe(100_00);
  const { transactionId } = await asked.device.start(1, asked.idTag, 1_010);
  await asked.device.stop(transactionId, 1_110);
  await stack.until(asked.client, asked.id, 'finished');
  expect(await balance(asked.client)).toBe(1000_00 - 1_50);
  await stack.checkBooks();
});

test('where charging is free a tap takes no deposit', async () => {
  const { client, device, tag } = await bound(100_00, { price: 0 });
  const { transactionId, idTagInfo } = await device.start(1, tag, 1_000);
  expect(idTagInfo.status).toBe('Accepted');
  const [operation] = await open(client);
  expect(operation).toMatchObject({ status: 'ongoing', deposit: 0 });
  await device.stop(transactionId, 1_200, { idTag: tag });
  expect(await stack.until(client, operation?.id ?? 0, 'finished')).toMatchObject({ payment_type: 'free', total: 0 });
  expect(await balance(client)).toBe(100_00);
});

test('the page of the owner is notified of a deleted card, which is unknown from then on [API-29]', async () => {
  const { client, id, tap } = await bound(100_00);
  const { heard, stop } = await listening(client, id);
  const [card] = (await client.call(getRfidData)).body.cards;
  expect(await tap()).toBe('Accepted');
  await client.call(deleteRfidCard, { params: { card: String(card?.id) } });
  await vi.waitFor(() =>
    expect(heard).toContainEqual({ type: 'rfid_card_update', eventType: 'cardDeleted', cardId: card?.id }),
  );
  expect(await tap()).toBe('Invalid');
  stop();
});
