import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

test('a metric that cannot be read, as when the database is away, does not affect the others', async () => {
  const metrics = createMetrics();
  metrics.counter('fpay_test_total', 'Counted', 'kind')('one');
  metrics.gauge('fpay_test_unreadable', 'Read from a database that is away', () => Promise.reject(new Error('away')));
  const text = await metrics.registry.metrics();
  expect(text).toContain('fpay_test_total{kind="one"} 1');
  expect(text).toContain('fpay_test_unreadable Nan');
});

test('a metric with a label reports the values of its last reading only', async () => {
  const metrics = createMetrics();
  const readings: Record<string, number>[] = [{ hold: 2, ongoing: 1 }, { ongoing: 3 }];
  metrics.gauges({
    name: 'fpay_test_open',
    help: 'Read',
    label: 'status',
    read: async () => readings.shift() ?? Promise.reject(new Error('away')),
  });
  const lines = async () => (await metrics.registry.metrics()).match(/^fpay_test_open\{.*$/gm) ?? [];
  expect(await lines()).toEqual(['fpay_test_open{status="hold"} 2', 'fpay_test_open{status="ongoing"} 1']);
  expect(await lines()).toEqual(['fpay_test_open{status="ongoing"} 3']);
  expect(await lines()).toEqual([]);
});
