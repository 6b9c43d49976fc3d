import { getOperation, newPayment } from '@fpay/contract/charging';
import { negotiate } from '@fpay/contract/realtime';
import { WebSocket } from 'ws';
import { type Client, createTestClient } from '../src/testing/client.ts';

/** A charge point with one connector, and the driver who charges there. */
export interface Place {
  identity: string;
  password: string;
  connector: number;
  user: number;
  token: string;
  csrf: string;
}

export interface Times {
  p50: number;
  p99: number;
  count: number;
}
export interface Whole extends Times {
  perSecond: number;
}
export interface Running {
  operations: number;
  readingsPerSecond: number;
  updated: Times;
  read: Times;
}

type Order =
  | { kind: 'connect'; places: Place[] }
  | { kind: 'whole'; seconds: number; atOnce: number }
  | { kind: 'running'; seconds: number };

const [url = ''] = process.argv.slice(2);
const readings = 10;
/** The interval that devices are configured to. */
const everyMs = 10_000;
/** Open pages whose update time is measured. */
const watchers = 100;
const readsPerSecond = 50;

interface Device {
  place: Place;
  client: Client;
  call(action: string, payload: object): Promise<Record<string, never>>;
  /** The tag of the next RemoteStart. */
  asked(): Promise<string>;
  meterWh: number;
}

let devices: Device[] = [];

async function connect(place: Place): Promise<Device> {
  const { identity, password } = place;
  const authorization = `Basic ${Buffer.from(`${identity}:${password}`).toString('base64')}`;
  const address = `${url.replace('http', 'ws')}/ocpp/${identity}`;
  const socket = new WebSocket(address, ['ocpp1.6'], { headers: { authorization }, perMessageDeflate: false });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const answers = new Map<string, (answer: Record<string, never>) => void>();
  const starts: string[] = [];
  let onStart: ((tag: string) => void) | null = null;
  let last = 0;
  socket.on('message', (data) => {
    const [kind, id, action, payload] = JSON.parse(String(data));
    if (kind !== 2) {
      answers.get(id)?.(action);
      answers.delete(id);
      return;
    }
    socket.send(JSON.stringify([3, id, { status: 'Accepted' }]));
    if (action !== 'RemoteStartTransaction') return;
    if (onStart) onStart(payload.idTag);
    else starts.push(payload.idTag);
    onStart = null;
  });
  // Each driver has their own address, as through a proxy, because requests per address are limited.
  const { user } = place;
  const client = createTestClient(url, Date.now, { 'x-forwarded-for': `10.0.${(user >> 8) & 255}.${user & 255}` });
  client.jar.set('fpay_session', place.token);
  client.jar.set('XSRF-TOKEN', place.csrf);
  const device: Device = {
    place,
    client,
    meterWh: 1_000,
    call: (action, payload) =>
      new Promise((resolve) => {
        last += 1;
        answers.set(String(last), resolve);
        socket.send(JSON.stringify([2, String(last), action, payload]));
      }),
    asked: () =>
      new Promise((resolve) => {
        const tag = starts.shift();
        if (tag !== undefined) resolve(tag);
        else onStart = resolve;
      }),
  };
  await device.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' });
  await device.call('StatusNotification', { connectorId: 1, status: 'Preparing', errorCode: 'NoError' });
  return device;
}

const now = () => new Date().toISOString();

async function begin(device: Device, amount: string): Promise<{ operation: number; transactionId: number }> {
  const body = { connector: device.place.connector, amount, payment_type: 'balance', target: 'uah' } as const;
  const asked = device.asked();
  const paid = await device.client.call(newPayment, { body });
  if (paid.status !== 200) throw new Error(`payment refused with ${paid.status} ${paid.body.message}`);
  const idTag = await asked;
  const start = { connectorId: 1, idTag, meterStart: device.meterWh, timestamp: now() };
  const { transactionId } = (await device.call('StartTransaction', start)) as unknown as { transactionId: number };
  return { operation: Number(paid.body.page_url.slice(2)), transactionId };
}

function meter(device: Device, transactionId: number, addWh: number): Promise<unknown> {
  device.meterWh += addWh;
  const sampledValue = [
    { value: String(device.meterWh), measurand: 'Energy.Active.Import.Register', unit: 'Wh' },
    { value: '36000', measurand: 'Power.Active.Import', unit: 'W' },
  ];
  return device.call('MeterValues', {
    connectorId: 1,
    transactionId,
    meterValue: [{ timestamp: now(), sampledValue }],
  });
}

/** Pay, start, ten readings, stop; a charge from the balance is settled before the stop is answered. */
async function wholeOperation(device: Device): Promise<void> {
  const { transactionId } = await begin(device, '300');
  for (let count = 0; count < readings; count += 1) await meter(device, transactionId, 20);
  await device.call('StopTransaction', { transactionId, meterStop: device.meterWh, timestamp: now() });
}

async function whole(seconds: number, atOnce: number): Promise<Whole> {
  const times: number[] = [];
  // The first operations are a warm-up and are not counted.
  await Promise.all(devices.slice(0, atOnce).map(wholeOperation));
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  await Promise.all(
    Array.from({ length: atOnce }, async (_, hand) => {
      for (let next = hand; performance.now() < endsAt; next = (next + atOnce) % devices.length) {
        const device = devices[next];
        if (!device) continue;
        const from = performance.now();
        await wholeOperation(device);
        times.push(performance.now() - from);
      }
    }),
  );
  return { perSecond: times.length / ((performance.now() - startedAt) / 1_000), ...timesOf(times) };
}

async function runningOperations(seconds: number): Promise<Running> {
  const charges: { device: Device; operation: number; transactionId: number; sentAt: number }[] = [];
  const waiting = [...devices];
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        charges.push({ device: next, ...(await begin(next, '3000')), sentAt: 0 });
      }
    }),
  );
  const updated: number[] = [];
  const watched = charges.slice(0, watchers);
  const pages = await Promise.all(watched.map((charge) => watch(charge, (ms) => updated.push(ms))));
  const endsAt = performance.now() + seconds * 1_000;
  let sent = 0;
  const metering = charges.map(async (charge, index) => {
    await new Promise((resolve) => setTimeout(resolve, (index / charges.length) * everyMs));
    while (performance.now() < endsAt) {
      const dueAt = performance.now() + everyMs;
      charge.sentAt = performance.now();
      sent += 1;
      await meter(charge.device, charge.transactionId, 100);
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - performance.now())));
    }
  });
  const read: number[] = [];
  const reading = (async () => {
    for (let index = 0; performance.now() < endsAt; index += 1) {
      const charge = charges[index % charges.length];
      const from = performance.now();
      const params = { id: String(charge?.operation) };
      charge?.device.client.call(getOperation, { params }).then(() => read.push(performance.now() - from));
      await new Promise((resolve) => setTimeout(resolve, 1_000 / readsPerSecond));
    }
  })();
  await Promise.all([...metering, reading]);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  for (const page of pages) page.terminate();
  return {
    operations: charges.length,
    readingsPerSecond: sent / seconds,
    updated: timesOf(updated),
    read: timesOf(read),
  };
}

/** A status page: a socket of the real-time hub that receives changes of its operation. */
async function watch(
  charge: { device: Device; operation: number; sentAt: number },
  onUpdate: (ms: number) => void,
): Promise<WebSocket> {
  const query = { operation: String(charge.operation) };
  const { body } = await charge.device.client.call(negotiate, { query });
  const address = new URL(body.connectionString);
  const here = new URL(url);
  address.host = here.host;
  const socket = new WebSocket(address, ['json.webpubsub.azure.v1']);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  socket.send(JSON.stringify({ type: 'joinGroup', group: `operation-${charge.operation}`, ackId: 1 }));
  await new Promise<void>((resolve) => {
    socket.on('message', (data) => {
      const { type, from } = JSON.parse(String(data));
      if (type === 'ack') resolve();
      if (type !== 'message' || from !== 'group' || charge.sentAt === 0) return;
      onUpdate(performance.now() - charge.sentAt);
      charge.sentAt = 0;
    });
  });
  return socket;
}

function timesOf(times: number[]): Times {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), count: sorted.length };
}

async function execute(order: Order): Promise<object> {
  switch (order.kind) {
    case 'connect': {
      const waiting = [...order.places];
      await Promise.all(
        Array.from({ length: 16 }, async () => {
          for (let next = waiting.shift(); next; next = waiting.shift()) devices.push(await connect(next));
        }),
      );
      devices = devices.sort((a, b) => a.place.connector - b.place.connector);
      return { connected: devices.length };
    }
    case 'whole':
      return whole(order.seconds, order.atOnce);
    case 'running':
      return runningOperations(order.seconds);
  }
}

// An aborted bench leaves no process running.
process.on('disconnect', () => process.exit());
process.on('message', (order: Order | 'end') => {
  if (order === 'end') process.exit();
  void execute(order).then((answer) => process.send?.(answer));
});
process.send?.({ ready: true });
