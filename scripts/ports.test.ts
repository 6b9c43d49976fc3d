import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { forbiddenPorts } from '../e2e/support/ports.ts';

test('every port in the list is one that fetch refuses before it connects', async () => {
  for (const port of forbiddenPorts) {
    const cause = await fetch(`http://127.0.0.1:${port}/`).then(
      () => null,
      (error: Error) => (error.cause as Error | undefined)?.message,
    );
    expect([port, cause]).toEqual([port, 'bad port']);
  }
  expect([8080, 8090, 8091, 10_081].filter((port) => forbiddenPorts.has(port))).toEqual([]);
});

test.each(['PORT', 'SANDBOX_PORT', 'SIMULATOR_PORT'])(
  'the demo refuses %s=10080 at once and says why',
  async (name) => {
    const file = fileURLToPath(new URL('./start.ts', import.meta.url));
    const child = spawn(process.execPath, [file], { env: { ...process.env, [name]: '10080' } });
    let output = '';
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    const [code] = await once(child, 'exit');
    expect([code, output.trim()]).toEqual([
      1,
      `${name}: browsers refuse to open port 10080. Choose another one, for example ${name}=10180.`,
    ]);
  },
);
