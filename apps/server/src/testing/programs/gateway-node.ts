import { createServer } from 'node:http';
import { pino } from 'pino';
import { createCommands } from '../../ocpp/commands/service.ts';
import { createGateway } from '../../ocpp/gateway.ts';
import { systemClock } from '../../platform/clock.ts';
import { openDatabase } from '../../platform/database.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { createOutbox } from '../../platform/outbox.ts';
import { createRateLimits } from '../../platform/rate-limits.ts';
import { createRowLoops } from '../../platform/row-loops.ts';
import { createSteps } from '../../platform/step.ts';
import { createDeviceStates } from '../../stations/device-states.ts';

/** A node that holds charge points in a process of its own, so that a test can kill it in the middle. */
const [url = '', port = '', nodeId = '', secret = '', nodeDeadAfterMs = ''] = process.argv.slice(2);
const { db } = openDatabase({ url, poolSize: 5 });
const log = pino({ level: 'silent' });
const clock = systemClock;
const outbox = createOutbox({ db, url, log });
const steps = createSteps(db, outbox.wake);
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
  nodeId,
  secret,
  deviceStates: createDeviceStates({ clock }),
  commands: createCommands({ db, steps, outbox, clock, log, nodeDeadAfterMs: Number(nodeDeadAfterMs) }),
  timings: { nodeHeartbeatMs: 200, nodeDeadAfterMs: Number(nodeDeadAfterMs), quietMs: 0 },
});
const server = createServer();
server.on('upgrade', (request, socket, head) => gateway.handleUpgrade(request, socket, head));
await outbox.start();
await gateway.start();
server.listen(Number(port), '127.0.0.1', () => process.stdout.write('listening\n'));
