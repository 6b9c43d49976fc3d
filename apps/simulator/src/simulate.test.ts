import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { generateNetwork } from './network.ts';
import { readOptions } from './options.ts';
import { simulate } from './simulate.ts';

const log = vi.spyOn(console, 'log');
beforeEach(() => void log.mockImplementation(() => undefined));
afterEach(() => log.mockReset());

const withoutServer = ['--url', 'ws://127.0.0.1:9/ocpp', '--no-page'];

it('ends when it is stopped while charge points connect', async () => {
  const stop = new AbortController();
  const ended = simulate(readOptions([...withoutServer, '--count', '2'], {}), stop.signal);
  await vi.waitFor(() => expect(log).toHaveBeenCalledWith(expect.stringContaining('2 charge points connect')));
  stop.abort();
  await ended;
});

it('ends when it is stopped while its network is read', async () => {
  const stop = new AbortController();
  const network = createServer((_, answer) => {
    stop.abort();
    answer.end(JSON.stringify(generateNetwork(2, 'secret-of-a-device')));
  });
  await new Promise<void>((done) => network.listen(0, '127.0.0.1', done));
  const { port } = network.address() as AddressInfo;
  try {
    await simulate(readOptions([...withoutServer, '--from', `http://127.0.0.1:${port}/`], {}), stop.signal);
    expect(log).not.toHaveBeenCalledWith(expect.stringContaining('charge points connect'));
  } finally {
    network.closeAllConnections();
    network.close();
  }
});
