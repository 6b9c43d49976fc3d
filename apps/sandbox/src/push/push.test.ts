import { createECDH, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { sharedBench } from '../testing/bench.ts';

const bench = sharedBench();

test('a request that a push service would refuse is refused: no such browser, no TTL, no encryption, no signature', async () => {
  const { url, call } = await bench();
  const { body } = await call('POST', '/push/subscriptions');
  expect(body).toMatchObject({
    keys: { p256dh: expect.stringMatching(/^[\w-]{87}$/), auth: expect.stringMatching(/^[\w-]{22}$/) },
  });
  const send = async (path: string, headers: Record<string, string>, bytes = randomBytes(200)) =>
    (await fetch(path, { method: 'POST', headers, body: bytes })).status;
  const address = `${url}/push/send/${body.endpoint.split('/').at(-1)}`;
  const encoded = { ttl: '60', 'content-encoding': 'aes128gcm' };
  expect(await send(`${url}/push/send/none`, encoded)).toBe(404);
  expect(await send(address, { 'content-encoding': 'aes128gcm' })).toBe(400);
  expect(await send(address, { ttl: '60' })).toBe(400);
  expect(await send(address, encoded, randomBytes(4097))).toBe(413);
  expect(await send(address, encoded)).toBe(401);
  const curve = createECDH('prime256v1');
  curve.generateKeys();
  const forged = `vapid t=e30.e30.${randomBytes(64).toString('base64url')}, k=${curve.getPublicKey('base64url')}`;
  expect(await send(address, { ...encoded, authorization: forged })).toBe(401);
});

test('a browser fails as a test asks, and its messages are empty then', async () => {
  const { call, url } = await bench();
  const { body } = await call('POST', '/push/subscriptions');
  const id = body.endpoint.split('/').at(-1);
  await call('POST', `/push/subscriptions/${id}/fault`, { status: 410 });
  expect((await fetch(`${url}/push/send/${id}`, { method: 'POST', body: 'x' })).status).toBe(410);
  expect((await call('GET', `/push/subscriptions/${id}/messages`)).body).toEqual({ messages: [] });
});
