import { WebPubSubClient } from '@azure/web-pubsub-client';
import { kopecks } from '@fpay/contract/money';
import { negotiate } from '@fpay/contract/realtime';
import type { Client } from '../../testing/client.ts';
import type { Stack } from '../../testing/stack.ts';

let tags = 0;

/** A card that no test has used before. */
export function newTag(): string {
  tags += 1;
  return `04AB${String(tags).padStart(6, '0')}`;
}

/** A user who may have cards: staff by default, because the rule is one permission. */
export async function cardUser(stack: Stack, balance = 0) {
  const { client, id } = await stack.signedIn('Support');
  if (balance > 0)
    await stack.staffMoney.increase({
      staff: await stack.giver(),
      user: id,
      amount: kopecks(balance),
      requestKey: `card:${id}`,
    });
  return { client, id };
}

/** The owner's page, and all messages that it receives. */
export async function listening(client: Client, user: number) {
  const browser = new WebPubSubClient({
    getClientAccessUrl: async () => (await client.call(negotiate, { query: {} })).body.connectionString,
  });
  const received: unknown[] = [];
  browser.on('group-message', ({ message }) => received.push(message.data));
  await browser.start();
  await browser.joinGroup(`user-${user}`);
  return { heard: received, stop: () => browser.stop() };
}
