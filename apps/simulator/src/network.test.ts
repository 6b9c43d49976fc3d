import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { generateNetwork, loadNetwork, parseNetwork, waitForNetwork } from './network.ts';

const one = { identity: 'CP1', password: 'secret', connectors: [{ id: 1, type: 'type2', powerW: 22_000 }] };

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'simulator-'));
});
afterEach(() => rm(dir, { recursive: true }));

describe('a network', () => {
  it('is a list of charge points, or a list with cards', () => {
    expect(parseNetwork(JSON.stringify([one]))).toEqual({ chargePoints: [one], cards: [] });
    expect(parseNetwork(JSON.stringify({ chargePoints: [one], cards: ['A'] }))).toEqual({
      chargePoints: [one],
      cards: ['A'],
    });
  });

  it.each([
    ['not JSON', '[{'],
    ['a connector of no known type', JSON.stringify([{ ...one, connectors: [{ id: 1, type: 'schuko', powerW: 1 }] }])],
    ['no connectors', JSON.stringify([{ ...one, connectors: [] }])],
    ['an unknown scenario', JSON.stringify([{ ...one, scenario: 'x' }])],
    ['one identity twice', JSON.stringify([one, one])],
  ])('is refused for %s', (_, json) => {
    expect(() => parseNetwork(json)).toThrow();
  });

  it('is loaded from a file', async () => {
    const file = join(dir, 'network.json');
    await writeFile(file, JSON.stringify([one]));
    expect((await loadNetwork(file)).chargePoints).toEqual([one]);
  });

  it('is loaded from a URL', async () => {
    const server = createServer((request, response) => {
      if (request.url !== '/network') response.statusCode = 404;
      response.end(JSON.stringify([one]));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect((await loadNetwork(`${address}/network`)).chargePoints).toEqual([one]);
    await expect(loadNetwork(`${address}/other`)).rejects.toThrow('answered 404');
    server.close();
  });

  it('is awaited until its file exists and is complete', async () => {
    const file = join(dir, 'network.json');
    const waiting = waitForNetwork(file, AbortSignal.timeout(10_000));
    await writeFile(file, JSON.stringify([one]));
    expect((await waiting)?.chargePoints).toEqual([one]);
    expect(await waitForNetwork(join(dir, 'never.json'), AbortSignal.timeout(20))).toBeNull();
  });

  it('can be generated with unique identities', () => {
    const { chargePoints } = generateNetwork(1000, 'p');
    expect(new Set(chargePoints.map(({ identity }) => identity)).size).toBe(1000);
    expect(chargePoints[0]).toMatchObject({ identity: 'SIM00001', password: 'p' });
  });
});
