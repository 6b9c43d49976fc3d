import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { WebSocketServer } from 'ws';
import { operationProgressUpdate, writeLastReading } from '../src/charging/lifecycle/operation-progress.ts';
import { priceReading } from '../src/charging/limit/price-reading.ts';
import { usualRetention } from '../src/config/settings/retention.ts';
import { noCharging } from '../src/ocpp/device/charging-port.ts';
import { createOcpp } from '../src/ocpp/feature.ts';
import { createAudit } from '../src/platform/audit.ts';
import { openPlatform } from '../src/platform/platform.ts';
import { createDeviceStates } from '../src/stations/device-states.ts';

/**
 * The server side of the bench in its own process: the gateway with or without its log of messages, or a plain `ws` server
 * that parses and answers.
 */
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
  const { platform } = openPlatform({ databaseUrl: url, log: pino({ level: 'error' }) });
  const ocpp = createOcpp({
    ...platform,
    outcomes: { charging: async () => {} },
    wishes: () => ({ stop: { decide: async () => 'keep' }, profile: { decide: async () => 'keep' } }),
    nodeId: `bench-${process.pid}`,
    secret,
    takesCertificates: false,
    audit: createAudit(platform.clock),
    deviceStates: createDeviceStates(),
    retention: usualRetention,
    keepsMessages: kind === 'gateway',
  });
  // Pricing a reading is part of applying it; starts and stops are not measured.
  const gateway = ocpp.createGateway({
    ...noCharging,
    priceReading,
    operationUpdate: operationProgressUpdate,
    lastReading: writeLastReading,
    wantedStatuses: new Set(['Faulted']),
  });
  server.on('upgrade', (request, socket, head) => gateway.handleUpgrade(request, socket, head));
  await platform.outbox.start();
  await gateway.start();
}

// An aborted bench leaves no process running.
process.on('disconnect', () => process.exit());
process.on('message', (question: string) => {
  if (question === 'end') process.exit();
  if (question === 'memory') global.gc?.();
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMs: (user + system) / 1000, rss: process.memoryUsage.rss() });
});
server.listen(0, '127.0.0.1', 4096, () => process.send?.({ port: (server.address() as AddressInfo).port }));
