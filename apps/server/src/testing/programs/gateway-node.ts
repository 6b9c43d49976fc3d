import { createServer } from 'node:http';
import { pino } from 'pino';
import { usualRetention } from '../../config/settings/retention.ts';
import { createOcpp } from '../../ocpp/feature.ts';
import { createAudit } from '../../platform/audit.ts';
import { openPlatform } from '../../platform/platform.ts';
import { createDeviceStates } from '../../stations/device-states.ts';

/** A node with charge points in its own process, so that a test can kill it in the middle. */
const [url = '', port = '', nodeId = '', secret = '', nodeDeadAfterMs = ''] = process.argv.slice(2);
const { platform } = openPlatform({ databaseUrl: url, log: pino({ level: 'silent' }), poolSize: 5 });
const gateway = createOcpp({
  ...platform,
  outcomes: { charging: async () => {} },
  wishes: () => ({ stop: { decide: async () => 'keep' }, profile: { decide: async () => 'keep' } }),
  nodeId,
  secret,
  takesCertificates: false,
  audit: createAudit(platform.clock),
  deviceStates: createDeviceStates(),
  retention: usualRetention,
  timings: { nodeHeartbeatMs: 200, nodeDeadAfterMs: Number(nodeDeadAfterMs), quietMs: 0 },
}).createGateway();
const server = createServer();
server.on('upgrade', (request, socket, head) => gateway.handleUpgrade(request, socket, head));
await platform.outbox.start();
await gateway.start();
server.listen(Number(port), '127.0.0.1', () => process.stdout.write('listening\n'));
