import { createServer, type Server } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Figures for the operator's Prometheus. */
export interface Metrics {
  registry: Registry;
  httpSeconds: Histogram<'method' | 'route' | 'status'>;
  /** A counter with one label, for example the reason of a refusal. */
  counter(name: string, help: string, label: string): (value: string, by?: number) => void;
  /** A metric that is read on each scrape. It is NaN when it cannot be read, so that the others are still reported. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void;
  /** The same with one label; a value that is missing in a later reading is no longer reported. */
  gauges(metric: GaugesOf): void;
}

export interface GaugesOf {
  name: string;
  help: string;
  label: string;
  read: () => Promise<Record<string, number>>;
}

/**
 * Metrics for the operator's Prometheus. Each server object has its own registry, so that tests may run several in one
 * process.
 */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const httpSeconds = new Histogram({
    name: 'fpay_http_request_duration_seconds',
    help: 'How long requests took, by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  return {
    registry,
    httpSeconds,
    counter(name: string, help: string, label: string): (word: string, by?: number) => void {
      const counter = new Counter({ name, help, labelNames: [label], registers: [registry] });
      return (word, by = 1) => counter.inc({ [label]: word }, by);
    },
    gauge(name: string, help: string, read: () => number | Promise<number>): void {
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          this.set(await Promise.resolve(read()).catch(() => Number.NaN));
        },
      });
    },
    gauges({ name, help, label, read }: GaugesOf): void {
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers: [registry],
        async collect() {
          const values = await read().catch(() => ({}));
          this.reset();
          for (const [value, figure] of Object.entries(values)) this.set({ [label]: value }, figure);
        },
      });
    },
  };
}

/** Listens on its own port, because metrics are for the operator and not for the internet. */
export async function serveMetrics(metrics: Metrics, at: { host: string; port: number }): Promise<Server> {
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    try {
      const text = await metrics.registry.metrics();
      response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text);
    } catch {
      response.writeHead(500).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, at.host, resolve);
  });
  return server;
}
