import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { WebSocketServer } from 'ws';
import { reckon } from '../src/charging/reckoning.ts';
import { createCommands } from '../src/ocpp/commands/service.ts';
import { createGateway } from '../src/ocpp/gateway.ts';
import { nobodyExpected } from '../src/ocpp/hooks.ts';
import { systemClock } from '../src/platform/clock.ts';
import { openDatabase } from '../src/platform/database.ts';
import { createMetrics } from '../src/platform/metrics.ts';
import { createOutbox } from '../src/platform/outbox.ts';
import { createRateLimits } from '../src/platform/rate-limits.ts';
import { createRowLoops } from '../src/platform/row-loops.ts';
import { createSteps } from '../src/platform/step.ts';
import { createDeviceStates } from '../src/stations/device-states.ts';

/** The server side of the bench in a process of its own: the gateway, or a bare `ws` server that parses and answers. */
const [kind = 'bare', url = '', secret = ''] = process.argv.slice(2);
const server = createServer();

if (kind === 'bare') {
  const bare = new WebSocketServer({ server, perMessageDeflate: false });
  bare.on('connection', (socket) => {
    socket.on('message', (data) => {
      const [, id] = JSON.parse(String(data)) as [number, string];
      socket.send(JSON.stringify([3, id, {}]));
    });
  });
} else {
  const clock = systemClock;
  const log = pino({ level: 'error' });
  const { db } = openDatabase({ url });
  const outbox = createOutbox({ db, url, log });
  const steps = createSteps(db, outbox.wake);
  const commands = createCommands({ db, steps, outbox, clock, log, nodeDeadAfterMs: 10_000 });
  const metrics = createMetrics();
  const gateway = createGateway({
    db,
    steps,
    rows: createRowLoops({ log, metrics }),
    outbox,
    clock,
    log,
    metrics,
    limits: createRateLimits(db, clock),
    nodeId: `bench-${process.pid}`,
    secret,
    deviceStates: createDeviceStates({ clock }),
    commands,
    // What a reading comes to in money and time is part of applying it; starts and stops are not what is measured.
    hooks: { ...nobodyExpected, reckon, statusesHeard: new Set(['Faulted']) },
  });
  server.on('upgrade', (request, socket, head) => gateway.handleUpgrade(request, socket, head));
  await outbox.start();
  await gateway.start();
}

// A bench that was broken off leaves nobody behind.
process.on('disconnect', () => process.exit());
process.on('message', (question: string) => {
  if (question === 'end') process.exit();
  if (question === 'memory') global.gc?.();
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMs: (user + system) / 1000, rss: process.memoryUsage.rss() });
});
server.listen(0, '127.0.0.1', 4096, () => process.send?.({ port: (server.address() as AddressInfo).port }));
