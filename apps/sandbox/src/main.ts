import { resolve } from 'node:path';
import { createSandbox } from './app.ts';

/** Starts the sandbox on loopback only, because it gives money and messages to every caller. */
const host = '127.0.0.1';
const port = Number(process.env.SANDBOX_PORT ?? 8090);
const dataDir = resolve(process.env.DATA_DIR ?? '.data');
const publicUrl = process.env.SANDBOX_PUBLIC_URL;

if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error(`SANDBOX_PORT must be a port number, not ${process.env.SANDBOX_PORT}`);
  process.exit(1);
}

const app = await createSandbox({ dataDir, ...(publicUrl && { publicUrl: publicUrl.replace(/\/$/, '') }) });

let isStopping = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, async () => {
    // A second signal must not interrupt writing.
    if (isStopping) return;
    isStopping = true;
    await app.close();
    process.exit(0);
  });
}

try {
  console.log(`sandbox: ${await app.listen({ host, port })}`);
} catch (error) {
  console.error(`sandbox: cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
