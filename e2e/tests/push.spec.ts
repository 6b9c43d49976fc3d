import { createTestClient } from '../../apps/server/src/testing/client.ts';
import { charger } from '../support/charger.ts';
import { newDriver } from '../support/driver.ts';
import { goToAmount, payAtBank } from '../support/pay.ts';
import { expect, test } from '../support/test.ts';
import { texts } from '../support/texts.ts';

const longTimeout = { timeout: 60_000 };
const station = 'F1022';
const uk = texts('uk');
test.setTimeout(240_000);
test.use({ serviceWorkers: 'allow', permissions: [] });

/** A browser whose push service is the sandbox: Chromium's own needs the internet. */
function pushInSandbox(subscription: object): string {
  return `(() => {
    let permission = 'default';
    let current = null;
    Object.defineProperty(Notification, 'permission', { get: () => permission });
    Notification.requestPermission = async () => { window.pushAsked = true; return (permission = 'granted'); };
    const subscription = ${JSON.stringify(subscription)};
    PushManager.prototype.subscribe = async () => (current = {
      endpoint: subscription.endpoint, toJSON: () => subscription, unsubscribe: async () => ((current = null), true),
    });
    PushManager.prototype.getSubscription = async () => current;
  })()`;
}

test('notifications are offered once a charge runs, and the end of the charge reaches the browser', async ({
  page,
  context,
  site,
  address,
  signIn,
}) => {
  const sandbox = process.env.SANDBOX_URL ?? 'http://127.0.0.1:8090';
  const subscription = (await (await fetch(`${sandbox}/push/subscriptions`, { method: 'POST' })).json()) as {
    endpoint: string;
  };
  await context.addInitScript(pushInSandbox(subscription));
  const phone = await newDriver({ site, address });
  await signIn(phone);
  await charger.plug(station);
  await goToAmount(page, { station, connector: /CCS2|Type 2/, method: 'card' });
  // Nothing is asked before the first start.
  expect(await page.evaluate('window.pushAsked')).toBeFalsy();
  await payAtBank(page);
  await page.getByRole('button', { name: uk('status:pushTurnOn') }).click(longTimeout);
  await expect(page.getByText(uk('status:pushIsOn'))).toBeVisible(longTimeout);

  await page.getByRole('button', { name: uk('status:finish') }).click(longTimeout);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Зупинити$/ })
    .click(longTimeout);
  const received = async () => {
    const id = subscription.endpoint.split('/').at(-1);
    const reply = await fetch(`${sandbox}/push/subscriptions/${id}/messages`);
    const { messages } = (await reply.json()) as { messages: { message: { notification: { title: string } } }[] };
    return messages.map(({ message }) => message.notification.title);
  };
  await expect.poll(received, longTimeout).toContain('Зарядку завершено');
  await charger.unplug(station);

  // The worker shows the message that arrived.
  const client = createTestClient(sandbox);
  const id = subscription.endpoint.split('/').at(-1);
  const { messages } = (await client.get(`/push/subscriptions/${id}/messages`)).body;
  expect(messages.at(-1).message.notification.navigate).toMatch(/\/status\/\d+$/);
});
