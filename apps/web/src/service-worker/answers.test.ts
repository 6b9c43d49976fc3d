import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answerFromCache, answerNavigation, type Shell } from './answers.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A device with a cached shell, and the network of the test. */
function device(network: (request: Request) => Promise<Response>) {
  const kept = new Map([['/index.html', new Response('the shell')]]);
  const shell: Shell = {
    page: '/index.html',
    open: async () => ({
      match: async (key) => kept.get(String(key))?.clone(),
      put: async (key, response) => void kept.set(String(key), response),
    }),
    fetch: vi.fn(network),
  };
  return { shell, kept };
}

const request = (path: string) => ({ url: `http://localhost${path}` }) as Request;
const fetched = (body: string) => Object.defineProperty(new Response(body), 'type', { value: 'basic' });

describe('a navigation', () => {
  it('is answered by the server, with its data', async () => {
    const { shell } = device(async () => new Response('fresh'));
    expect(await (await answerNavigation(shell, request('/station/F1'))).text()).toBe('fresh');
  });

  it('uses the preloaded answer that the browser requested while the worker started', async () => {
    const { shell } = device(async () => new Response('second'));
    const preloaded = Promise.resolve(new Response('first'));
    expect(await (await answerNavigation(shell, request('/'), preloaded)).text()).toBe('first');
    expect(shell.fetch).not.toHaveBeenCalled();
  });

  it('is answered by the cached shell without a network', async () => {
    const { shell } = device(() => Promise.reject(new TypeError('Failed to fetch')));
    expect(await (await answerNavigation(shell, request('/'))).text()).toBe('the shell');
  });

  it('is answered by the cached shell after 5 s without an answer', async () => {
    const { shell } = device(() => new Promise(() => undefined));
    const answer = answerNavigation(shell, request('/'));
    await vi.advanceTimersByTimeAsync(4999);
    expect(await Promise.race([answer, Promise.resolve('waiting')])).toBe('waiting');
    await vi.advanceTimersByTimeAsync(1);
    expect(await (await answer).text()).toBe('the shell');
  });
});

describe('a file of the build', () => {
  it('is loaded once and cached', async () => {
    const { shell } = device(async () => fetched('code'));
    for (let time = 0; time < 2; time++) {
      expect(await (await answerFromCache(shell, request('/assets/map.js'))).text()).toBe('code');
    }
    expect(shell.fetch).toHaveBeenCalledTimes(1);
  });

  it('that does not exist is not cached', async () => {
    const { shell, kept } = device(async () => new Response('gone', { status: 404 }));
    expect((await answerFromCache(shell, request('/assets/old.js'))).status).toBe(404);
    expect([...kept.keys()]).toEqual(['/index.html']);
  });
});
