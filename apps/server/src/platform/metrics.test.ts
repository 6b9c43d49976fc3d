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
