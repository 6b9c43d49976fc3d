import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createTileHealth } from './tile-health.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const signal = new AbortController().signal;

function watching() {
  const changes: boolean[] = [];
  const health = createTileHealth(() => changes.push(health.isFine()));
  return { health, changes };
}

it('a tile that is not there after 2 s gives way to the embedded map, until it comes [MAP-23]', async () => {
  const { health, changes } = watching();
  let arrive = (_: object) => {};
  const tile = health.watch(new Promise<object>((resolve) => (arrive = resolve)), signal);
  await vi.advanceTimersByTimeAsync(1999);
  expect(health.isFine()).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(health.isFine()).toBe(false);
  arrive({});
  await tile;
  expect(changes).toEqual([false, true]);
});

it('three failed or empty tiles in a row are a failed provider; the next good tile ends it [MAP-23]', async () => {
  const { health, changes } = watching();
  const fail = () => health.watch(Promise.reject(new Error('503')), signal).catch(() => undefined);
  await fail();
  await health.watch(Promise.resolve({ isEmpty: true }), signal);
  expect(health.isFine()).toBe(true);
  await fail();
  expect(health.isFine()).toBe(false);
  await health.watch(Promise.resolve({ isEmpty: false }), signal);
  expect(changes).toEqual([false, true]);
});

it('empty tiles beside tiles with content are places where nothing is', async () => {
  const { health } = watching();
  await health.watch(Promise.resolve({ isEmpty: false }), signal);
  for (let times = 0; times < 5; times++) await health.watch(Promise.resolve({ isEmpty: true }), signal);
  expect(health.isFine()).toBe(true);
});

it('tiles that the map no longer needs do not count', async () => {
  const { health } = watching();
  const moved = new AbortController();
  const pending = health.watch(new Promise<object>(() => {}), moved.signal);
  await vi.advanceTimersByTimeAsync(3000);
  expect(health.isFine()).toBe(false);
  moved.abort();
  expect(health.isFine()).toBe(true);
  void pending;
  for (let times = 0; times < 5; times++) {
    await health.watch(Promise.reject(new Error('canceled')), moved.signal).catch(() => undefined);
  }
  expect(health.isFine()).toBe(true);
});
