import { type LightSocket, openLightSocket, textFrameOf } from './light-socket.ts';

/** The charge points of the bench in their own process. It gets one JSON order over IPC and returns one JSON answer. */
export interface Order {
  kind: 'connect' | 'saturate' | 'steady' | 'starts' | 'drop' | 'cpu';
  url?: string;
  points?: { identity: string; password: string; transactionId: number; idTag: string }[];
  /** Tries again until this much time has passed, as devices do while the server is away. */
  insistMs?: number;
  /** How many handshakes run at the same time. */
  atOnce?: number;
  seconds?: number;
  everyMs?: number;
  boots?: boolean;
  /** The status of both connectors that each charge point reports after its boot. */
  status?: string;
  /** The message to send; only the first `sockets` charge points send it. */
  message?: 'MeterValues' | 'StatusNotification';
  sockets?: number;
}

interface Point {
  socket: LightSocket;
  idTag: string;
  /** One frame for each status, built at the first use, because most charge points never send one. */
  statuses: StatusFrame[] | null;
  frame: ReturnType<typeof frameFor>;
  sent: number;
  sentAt: number;
}

let points: Point[] = [];
/** The answer to an unknown call, because the gateway sends some calls of its own. */
const refusal = (call: string) => JSON.stringify([4, (JSON.parse(call) as unknown[])[1], 'NotImplemented', '', {}]);
const began = Date.now() - 3_600_000;

const digits = { id: 9, time: 24, register: 10 } as const;

/**
 * One frame for all readings of a charge point, whose variable parts are filled in each time, because the client must
 * use little CPU.
 */
function frameFor(transactionId: number): { bytes: Buffer; idAt: number; timeAt: number; registerAt: number } {
  const places = { id: '#'.repeat(digits.id), time: '@'.repeat(digits.time), register: '%'.repeat(digits.register) };
  const bytes = textFrameOf(
    `[2,"${places.id}","MeterValues",{"connectorId":1,"transactionId":${transactionId},"meterValue":[{` +
      `"timestamp":"${places.time}","sampledValue":[` +
      `{"value":"${places.register}","measurand":"Energy.Active.Import.Register","unit":"Wh"},` +
      '{"value":"36000","measurand":"Power.Active.Import","unit":"W"},' +
      '{"value":"90.5","measurand":"Current.Import","unit":"A"},' +
      '{"value":"56","measurand":"SoC","unit":"Percent"}]}]}]',
  );
  const at = (place: string) => bytes.indexOf(place);
  return { bytes, idAt: at(places.id), timeAt: at(places.time), registerAt: at(places.register) };
}

function nextReading(point: Point): Buffer {
  const { bytes, idAt, timeAt, registerAt } = point.frame;
  point.sent += 1;
  point.sentAt = performance.now();
  bytes.write(String(point.sent).padStart(digits.id, '0'), idAt, 'latin1');
  bytes.write(new Date(began + point.sent * 1000).toISOString(), timeAt, 'latin1');
  bytes.write(String(1_000_000 + point.sent * 10).padStart(digits.register, '0'), registerAt, 'latin1');
  return bytes;
}

/** A charge as a connector reports it. Every message is a change, which is the expensive case. */
const visit = ['Available', 'Preparing', 'Charging', 'SuspendedEV', 'Charging', 'Finishing'] as const;

interface StatusFrame {
  bytes: Buffer;
  idAt: number;
  timeAt: number;
}

const statusText = (id: string, connector: number, status: string, time: string) =>
  `[2,"${id}","StatusNotification",{"connectorId":${connector},"errorCode":"NoError","status":"${status}","timestamp":"${time}"}]`;

function statusFrame(status: string): StatusFrame {
  const places = { id: '#'.repeat(digits.id), time: '@'.repeat(digits.time) };
  const bytes = textFrameOf(statusText(places.id, 1, status, places.time));
  return { bytes, idAt: bytes.indexOf(places.id), timeAt: bytes.indexOf(places.time) };
}

function nextStatus(point: Point): Buffer {
  point.statuses ??= visit.map(statusFrame);
  const { bytes, idAt, timeAt } = point.statuses[point.sent % visit.length] as StatusFrame;
  point.sent += 1;
  point.sentAt = performance.now();
  bytes.write(String(point.sent).padStart(digits.id, '0'), idAt, 'latin1');
  bytes.write(new Date(began + point.sent * 1000).toISOString(), timeAt, 'latin1');
  return bytes;
}

async function connect({ url = '', points: wanted = [], atOnce = 200, boots = false, status, insistMs = 0 }: Order) {
  const startedAt = performance.now();
  const queue = [...wanted];
  let failed = 0;
  let bootedAt = startedAt;
  const reported: Promise<void>[] = [];
  const one = async (wanting: (typeof wanted)[number]): Promise<void> => {
    const { identity, password, transactionId, idTag } = wanting;
    const authorization = `Basic ${Buffer.from(`${identity}:${password}`).toString('base64')}`;
    try {
      const socket = await openLightSocket(new URL(`${url}/${identity}`), { Authorization: authorization });
      points.push({ socket, idTag, frame: frameFor(transactionId), statuses: null, sent: 0, sentAt: 0 });
      if (!boots) return;
      await new Promise<void>((resolve, reject) => {
        socket.onText = () => resolve();
        socket.onClose = () => reject(new Error('closed before the boot was answered'));
        socket.send(JSON.stringify([2, 'boot', 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' }]));
      });
      bootedAt = performance.now();
      if (status !== undefined) reported.push(report(socket, status));
    } catch {
      if (performance.now() - startedAt < insistMs) {
        await new Promise((resolve) => setTimeout(resolve, 500));
        return one(wanting);
      }
      failed += 1;
    }
  };
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await one(next);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  await Promise.all(reported);
  const since = (at: number) => (at - startedAt) / 1000;
  return { connected: points.length, failed, bootedSeconds: since(bootedAt), seconds: since(performance.now()) };
}

/** Reports both connectors; resolves when both are answered. Calls of the gateway in between are refused. */
function report(socket: LightSocket, status: string): Promise<void> {
  return new Promise((resolve) => {
    let open = 2;
    socket.onText = (text) => {
      if (text.startsWith('[2')) return socket.send(refusal(text));
      open -= 1;
      if (open === 0) resolve();
    };
    socket.onClose = () => resolve();
    for (const connector of [1, 2]) {
      socket.send(statusText(`status-${connector}`, connector, status, new Date().toISOString()));
    }
  });
}

/** With `everyMs` null, the next message is sent as soon as the last one is answered. */
async function drive({ seconds = 10, message, sockets }: Order, everyMs: number | null) {
  const next = message === 'StatusNotification' ? nextStatus : nextReading;
  const driven = points.slice(0, sockets);
  const latencies: number[] = [];
  const endsAt = performance.now() + seconds * 1000;
  const startedAt = performance.now();
  await Promise.all(
    driven.map(
      (point, index) =>
        new Promise<void>((resolve) => {
          const send = () => point.socket.sendFrame(next(point));
          point.socket.onText = (text) => {
            if (text.startsWith('[2')) return point.socket.send(refusal(text));
            const now = performance.now();
            latencies.push(now - point.sentAt);
            if (now >= endsAt) return resolve();
            if (everyMs === null) send();
            else setTimeout(send, Math.max(0, everyMs - (now - point.sentAt)));
          };
          if (everyMs === null) send();
          else setTimeout(send, (index / driven.length) * everyMs);
        }),
    ),
  );
  const elapsed = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return { messages: latencies.length, perSecond: latencies.length / elapsed, p50: at(0.5), p99: at(0.99), max: at(1) };
}

/** Every charge point sends one StartTransaction at once; how long each waits for its answer. */
async function starts({ seconds = 60 }: Order) {
  const startedAt = performance.now();
  const took = await Promise.all(
    points.map(
      ({ socket, idTag }) =>
        new Promise<number | null>((resolve) => {
          const timer = setTimeout(() => resolve(null), seconds * 1000);
          socket.onText = (text) => {
            if (text.startsWith('[2')) return socket.send(refusal(text));
            clearTimeout(timer);
            const { idTagInfo } = (JSON.parse(text) as [number, string, { idTagInfo?: { status: string } }])[2];
            resolve(idTagInfo?.status === 'Accepted' ? performance.now() - startedAt : null);
          };
          const timestamp = new Date().toISOString();
          socket.send(
            JSON.stringify([
              2,
              'start',
              'StartTransaction',
              { connectorId: 1, idTag, meterStart: 1_000_000, timestamp },
            ]),
          );
        }),
    ),
  );
  const answered = took.filter((ms) => ms !== null).sort((a, b) => a - b);
  const at = (share: number) => answered[Math.min(answered.length - 1, Math.floor(answered.length * share))] ?? 0;
  return { answered: answered.length, asked: points.length, p50: at(0.5), p99: at(0.99), last: at(1) };
}

// An aborted bench leaves no process running.
process.on('disconnect', () => process.exit());
process.on('message', async (order: Order | 'end') => {
  if (order === 'end') process.exit();
  if (order.kind === 'connect') process.send?.(await connect(order));
  if (order.kind === 'saturate') process.send?.(await drive(order, null));
  if (order.kind === 'steady') process.send?.(await drive(order, order.everyMs ?? 1000));
  if (order.kind === 'starts') process.send?.(await starts(order));
  if (order.kind === 'cpu') {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMs: (user + system) / 1_000 });
  }
  if (order.kind === 'drop') {
    const gone = points;
    points = [];
    await Promise.all(
      gone.map(
        ({ socket }) =>
          new Promise((resolve) => {
            // The server that was killed may have closed it already.
            if (socket.isClosed()) return resolve(undefined);
            socket.onClose = () => resolve(undefined);
            socket.terminate();
          }),
      ),
    );
    process.send?.({ dropped: gone.length });
  }
});
process.send?.('ready');
