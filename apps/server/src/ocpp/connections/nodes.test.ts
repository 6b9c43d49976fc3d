import { createServer } from 'node:net';
import { RPCClient } from 'ocpp-rpc';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { startProgram } from '../../testing/program.ts';
import {
  ago,
  answerCalls,
  eventually,
  type GatewayFixture,
  gatewaySecret,
  reading,
  startGateway,
} from '../testing/gateway.ts';

const nodeDeadAfterMs = 2_000;
const timings = { nodeHeartbeatMs: 200, nodeDeadAfterMs, quietMs: 0 };

let database: Awaited<ReturnType<typeof testDatabase>>;
let east: GatewayFixture;
let west: GatewayFixture;
const cleanUps: (() => unknown)[] = [];

beforeAll(async () => {
  database = await testDatabase();
  east = await startGateway({ database, timings, nodeId: 'east' });
  west = await startGateway({ database, timings, nodeId: 'west' });
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});
afterAll(async () => {
  await east.stop();
  await west.stop();
  await database.drop();
});

/** Answers every call and records it, unless `answers` says otherwise. */
function listen(
  client: RPCClient,
  answers: (action: string) => object | null = () => ({ status: 'Accepted' }),
): string[] {
  const received: string[] = [];
  answerCalls(client, (method) => {
    if (method === 'TriggerMessage') return { status: 'Accepted' };
    received.push(method);
    const answer = answers(method);
    return answer === null ? new Promise(() => {}) : answer;
  });
  return received;
}

const remoteStart = (chargePointId: number) =>
  ({ chargePointId, action: 'RemoteStartTransaction', payload: { idTag: 'TAG', connectorId: 1 } }) as const;
const remoteStop = (chargePointId: number) =>
  ({ chargePointId, action: 'RemoteStopTransaction', payload: { transactionId: 7 } }) as const;

describe('commands across nodes', () => {
  test('a command given on one node reaches the device on the other, and its real answer comes back', async () => {
    const chargePoint = await east.addChargePoint();
    const client = await east.connect(chargePoint);
    const received = listen(client, () => ({ status: 'Rejected' }));
    const outcome = await west.commands.send(remoteStart(chargePoint.id));
    expect(outcome).toMatchObject({ status: 'answered', answer: { status: 'Rejected' }, wasSent: true });
    expect(received).toEqual(['RemoteStartTransaction']);
  });

  test('field problem 49: the first node closes the socket of a device that moves to another node, and commands follow it', async () => {
    const chargePoint = await east.addChargePoint();
    const before = await east.connect(chargePoint);
    const closed = new Promise((resolve) => before.once('close', resolve));
    const after = await west.connect(chargePoint);
    const received = listen(after);
    await closed;
    expect(east.gateway.connectionOf(chargePoint.id)).toBeUndefined();
    expect(await east.link(chargePoint.id)).toMatchObject({ epoch: 2, node_id: 'west' });
    expect(await east.commands.send(remoteStop(chargePoint.id))).toMatchObject({ status: 'answered' });
    expect(received).toEqual(['RemoteStopTransaction']);
  });

  test('field problem 51: a RemoteStart to a device that is away is offline at once and is not sent when it returns', async () => {
    const chargePoint = await east.addChargePoint();
    const startedAt = performance.now();
    const outcome = await west.commands.send(remoteStart(chargePoint.id));
    expect(outcome).toMatchObject({ status: 'offline', wasSent: false });
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    const client = await east.connect(chargePoint);
    const received = listen(client);
    await east.boot(client);
    expect(await west.commands.send({ ...remoteStop(chargePoint.id) })).toMatchObject({ status: 'answered' });
    expect(received).toEqual(['RemoteStopTransaction']);
  });

  test('field problem 36: Scheduled is an answer like any other; a refusal is returned with its code', async () => {
    const chargePoint = await east.addChargePoint();
    const client = await east.connect(chargePoint);
    client.handle('ChangeAvailability', async () => ({ status: 'Scheduled' }));
    const change = {
      chargePointId: chargePoint.id,
      action: 'ChangeAvailability',
      payload: { connectorId: 1, type: 'Inoperative' },
    } as const;
    expect(await west.commands.send(change)).toMatchObject({ status: 'answered', answer: { status: 'Scheduled' } });
    expect(
      await west.commands.send({ chargePointId: chargePoint.id, action: 'ClearCache', payload: {} }),
    ).toMatchObject({
      status: 'error',
      answer: { code: 'NotImplemented' },
    });
  });

  test('field problem 9: commands of one device are sent one at a time; only a stop is sent in parallel to the open one', async () => {
    const chargePoint = await east.addChargePoint();
    const client = await east.connect(chargePoint);
    const received: string[] = [];
    const release: (() => void)[] = [];
    answerCalls(client, (method) => {
      if (method === 'TriggerMessage') return { status: 'Accepted' };
      received.push(method);
      return new Promise((resolve) => {
        release.push(() => resolve({ status: 'Accepted', configurationKey: [] }));
      });
    });
    const clear = west.commands.send({ chargePointId: chargePoint.id, action: 'ClearCache', payload: {} });
    await eventually(() => received.length === 1);
    const read = west.commands.send({ chargePointId: chargePoint.id, action: 'GetConfiguration', payload: {} });
    await eventually(async () => (await queued(chargePoint.id)) === 1);
    const stop = west.commands.send(remoteStop(chargePoint.id));
    await eventually(() => received.length === 2);
    expect(received).toEqual(['ClearCache', 'RemoteStopTransaction']);
    expect(await queued(chargePoint.id)).toBe(1);
    for (const answer of release.splice(0)) answer();
    await Promise.all([clear, stop]);
    await eventually(() => release.length === 1);
    release.shift()?.();
    await read;
    expect(received).toEqual(['ClearCache', 'RemoteStopTransaction', 'GetConfiguration']);
  });

  test('an outcome is delivered to its receiver once, also when the charge point is offline', async () => {
    const chargePoint = await east.addChargePoint();
    const outcomes = () =>
      [...east.outcomes, ...west.outcomes]
        .filter(({ chargePointId }) => chargePointId === chargePoint.id)
        .sort((one, other) => one.id - other.id);
    await west.steps.run((step) =>
      west.commands.enqueue(step, { ...remoteStart(chargePoint.id), outcomeTo: 'charging' }),
    );
    await eventually(() => outcomes().length === 1);
    listen(await east.connect(chargePoint));
    await west.steps.run((step) =>
      west.commands.enqueue(step, { ...remoteStart(chargePoint.id), outcomeTo: 'charging' }),
    );
    await eventually(() => outcomes().length === 2);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(outcomes()).toMatchObject([{ status: 'offline' }, { status: 'answered', answer: { status: 'Accepted' } }]);
  });

  test('a command enqueued in a step that fails does not exist', async () => {
    const chargePoint = await east.addChargePoint();
    const received = listen(await east.connect(chargePoint));
    const failing = west.steps.run(async (step) => {
      await west.commands.enqueue(step, { ...remoteStart(chargePoint.id), outcomeTo: 'charging' });
      throw new Error('the step failed');
    });
    await expect(failing).rejects.toThrow('the step failed');
    await west.commands.send(remoteStop(chargePoint.id));
    expect(received).toEqual(['RemoteStopTransaction']);
  });

  test('a node that counted as dead because it could not reach the database takes its sockets back', async () => {
    const chargePoint = await east.addChargePoint();
    const received = listen(await east.connect(chargePoint));
    await east.db
      .updateTable('charge_point_links')
      .set({ node_id: null, lost_at: ago(20), offline_due_at: ago(1) })
      .where('charge_point_id', '=', chargePoint.id)
      .execute();
    await eventually(async () => (await east.link(chargePoint.id)).node_id === 'east');
    await eventually(async () => (await east.chargePoint(chargePoint.id)).is_online);
    expect(await west.commands.send(remoteStop(chargePoint.id))).toMatchObject({ status: 'answered' });
    expect(received).toEqual(['RemoteStopTransaction']);
  });

  test('an answer of an older epoch is dropped', async () => {
    const chargePoint = await east.addChargePoint();
    const client = await east.connect(chargePoint);
    const received = listen(client, () => null);
    const sending = west.commands.send(remoteStart(chargePoint.id));
    await eventually(() => received.length === 1);
    const { id } = await west.db
      .selectFrom('commands')
      .select('id')
      .where('charge_point_id', '=', chargePoint.id)
      .executeTakeFirstOrThrow();
    await west.connect(chargePoint);
    expect(await sending).toMatchObject({ status: 'unknown', wasSent: true });
    const counted = await west.steps.run((step) =>
      west.commands.store.finish(
        step,
        { id, nodeId: 'east', epoch: 1 },
        'answered',
        { status: 'Accepted' },
        new Date(),
      ),
    );
    expect(counted).toBe(false);
  });
});

describe('a node that is killed', () => {
  async function startNode(nodeId: string) {
    const port = await freePort();
    const program = await startProgram(
      'gateway-node',
      database.appUrl,
      String(port),
      nodeId,
      gatewaySecret,
      String(nodeDeadAfterMs),
    );
    let isAlive = true;
    const kill = async () => {
      if (isAlive) await program.kill();
      isAlive = false;
    };
    cleanUps.push(kill);
    await program.printed('listening');
    const connect = async ({ identity, password }: { identity: string; password: string }) => {
      const client = new RPCClient({
        endpoint: `ws://127.0.0.1:${port}/ocpp`,
        identity,
        password,
        protocols: ['ocpp1.6'],
        reconnect: false,
        callConcurrency: 100,
      } as ConstructorParameters<typeof RPCClient>[0]);
      cleanUps.push(() => client.close({ force: true } as never).catch(() => {}));
      await client.connect();
      return client;
    };
    return { kill, connect };
  }

  test('field problem 41: kill -9 in the middle of a burst of MeterValues loses none that was answered', async () => {
    const node = await startNode('doomed-1');
    const chargePoint = await east.addChargePoint();
    const client = await node.connect(chargePoint);
    const start = { connectorId: 1, idTag: 'TAG', meterStart: 0, timestamp: ago(3600).toISOString() };
    const { transactionId } = (await client.call('StartTransaction', start)) as { transactionId: number };
    let answered = 0;
    const burst = Array.from({ length: 300 }, (_, n) =>
      client
        .call('MeterValues', { connectorId: 1, transactionId, meterValue: [reading(ago(3600 - n * 10), n * 20)] })
        .then(() => {
          answered += 1;
        })
        .catch(() => {}),
    );
    await eventually(() => answered >= 30);
    await node.kill();
    await Promise.all(burst);
    expect(answered).toBeLessThan(300);
    const samples = await east.samplesOf(transactionId);
    expect(samples.length).toBeGreaterThanOrEqual(answered);
    // They are in order, so those that exist are the first ones.
    expect(samples.map(({ energy_wh }) => energy_wh)).toEqual(samples.map((_, n) => n * 20));
  });

  test('a RemoteStart that may have been sent is unknown and never sent again', async () => {
    const node = await startNode('doomed-2');
    const chargePoint = await east.addChargePoint();
    const client = await node.connect(chargePoint);
    const received = listen(client, () => null);
    const sending = west.commands.send(remoteStart(chargePoint.id));
    await eventually(() => received.length === 1);
    await node.kill();
    const back = await east.connect(chargePoint);
    const receivedAgain = listen(back);
    expect(await sending).toMatchObject({ status: 'unknown', wasSent: true });
    expect(await west.commands.send(remoteStop(chargePoint.id))).toMatchObject({ status: 'answered' });
    expect(receivedAgain).toEqual(['RemoteStopTransaction']);
  });

  test('a RemoteStop that may have been sent is sent again where the device reconnected', async () => {
    const node = await startNode('doomed-3');
    const chargePoint = await east.addChargePoint();
    const client = await node.connect(chargePoint);
    const received = listen(client, () => null);
    const sending = west.commands.send(remoteStop(chargePoint.id));
    await eventually(() => received.length === 1);
    await node.kill();
    const receivedAgain = listen(await east.connect(chargePoint));
    expect(await sending).toMatchObject({ status: 'answered', answer: { status: 'Accepted' } });
    expect(receivedAgain).toEqual(['RemoteStopTransaction']);
  });

  test('its charge points have no owner any more, and are offline when they do not reconnect', async () => {
    const node = await startNode('doomed-4');
    const chargePoint = await east.addChargePoint();
    await node.connect(chargePoint);
    await node.kill();
    await eventually(async () => (await east.link(chargePoint.id)).node_id === null);
    expect(await west.commands.send(remoteStart(chargePoint.id))).toMatchObject({ status: 'offline' });
    expect((await east.chargePoint(chargePoint.id)).is_online).toBe(true);
    await east.db
      .updateTable('charge_point_links')
      .set({ offline_due_at: ago(1) })
      .where('charge_point_id', '=', chargePoint.id)
      .execute();
    await eventually(async () => !(await east.chargePoint(chargePoint.id)).is_online);
  });
});

async function queued(chargePointId: number): Promise<number> {
  const rows = await west.db
    .selectFrom('commands')
    .select('id')
    .where('charge_point_id', '=', chargePointId)
    .where('status', '=', 'queued')
    .execute();
  return rows.length;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
