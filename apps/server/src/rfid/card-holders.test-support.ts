import { WebPubSubClient } from '@azure/web-pubsub-client';
import { kopecks } from '@fpay/contract/money';
import { negotiate } from '@fpay/contract/realtime';
import type { Client } from '../testing/client.ts';
import type { World } from '../testing/world.ts';

let tags = 0;

/** A card that nobody has shown before. */
export function newTag(): string {
  tags += 1;
  return `04AB${String(tags).padStart(6, '0')}`;
}

/** Somebody who may have cards: staff by default, the rule is one permission. */
export async function cardHolder(world: World, balance = 0) {
  const { client, id } = await world.signedIn('Support');
  if (balance > 0)
    await world.staffMoney.increase({
      staff: await world.giver(),
      user: id,
      amount: kopecks(balance),
      requestKey: `card:${id}`,
    });
  return { client, id };
}

/** The holder's page, and all that it is told. */
export async function listening(client: Client, user: number) {
  const browser = new WebPubSubClient({
    getClientAccessUrl: async () => (await client.call(negotiate, { query: {} })).body.connectionString,
  });
  const heard: unknown[] = [];
  browser.on('group-message', ({ message }) => heard.push(message.data));
  await browser.start();
  await browser.joinGroup(`user-${user}`);
  return { heard, stop: () => browser.stop() };
}
