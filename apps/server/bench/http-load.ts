import { Agent, get } from 'node:http';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

interface Load {
  url: string;
  headers: Record<string, string>;
  connections: number;
  seconds: number;
}

/** Measures GET requests per second from its own thread, over keep-alive connections that read every byte. */
export function requestsPerSecond(load: Load): Promise<number> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: load });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

async function ask({ url, headers }: Load, agent: Agent): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      response.resume().once('end', resolve);
    }).once('error', reject);
  });
}

async function send(load: Load): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
  const end = Date.now() + load.seconds * 1000;
  let count = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: load.connections }, async () => {
      while (Date.now() < end) {
        await ask(load, agent);
        count += 1;
      }
    }),
  );
  agent.destroy();
  return count / ((performance.now() - start) / 1000);
}

if (!isMainThread && parentPort) parentPort.postMessage(await send(workerData as Load));
