import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { ago, eventually, type GatewayFixture, startGateway } from './testing/gateway.ts';

let gateway: GatewayFixture;
const sockets: WebSocket[] = [];
beforeAll(async () => {
  gateway = await startGateway({ timings: { quietMs: 10, settleMs: 10 } });
});
afterAll(async () => {
  for (const socket of sockets) socket.terminate();
  await gateway.stop();
});

/**
 * NUL, which PostgreSQL cannot store in a text, and half of a UTF-16 pair, which is not valid text. Written as they are
 * on the wire.
 */
const bad = 'a\\u0000b\\ud800c';
const replaced = 'a\uFFFDb\uFFFDc';

async function connect(onCall: (id: string, action: string) => string | null = () => null) {
  const point = await gateway.addChargePoint();
  const authorization = `Basic ${Buffer.from(`${point.identity}:${point.password}`).toString('base64')}`;
  const socket = new WebSocket(`${gateway.url}/${point.identity}`, ['ocpp1.6'], { headers: { authorization } });
  sockets.push(socket);
  const answers = new Map<string, unknown[]>();
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as [number, string, string];
    if (frame[0] !== 2) answers.set(frame[1], frame);
    else {
      const answer = onCall(frame[1], frame[2]);
      if (answer !== null) socket.send(answer);
    }
  });
  await once(socket, 'open');
  let count = 0;
  const send = async (action: string, payload: string) => {
    count += 1;
    const id = `t${count}`;
    socket.send(`[2,"${id}","${action}",${payload}]`);
    await eventually(() => answers.has(id));
    return answers.get(id) as unknown[];
  };
  return { point, send };
}

const at = ago(60).toISOString();
/** Every text field of every message that a charge point sends, with the bad text in each of them. */
const messages: [action: string, payload: string][] = [
  [
    'BootNotification',
    `{"chargePointVendor":"${bad}","chargePointModel":"${bad}","chargePointSerialNumber":"${bad}",
      "chargeBoxSerialNumber":"${bad}","firmwareVersion":"${bad}","iccid":"${bad}","imsi":"${bad}","meterType":"${bad}",
      "meterSerialNumber":"${bad}"}`,
  ],
  [
    'StatusNotification',
    `{"connectorId":1,"status":"${bad}","errorCode":"${bad}","info":"${bad}","timestamp":"${bad}","vendorId":"${bad}",
      "vendorErrorCode":"${bad}"}`,
  ],
  ['StatusNotification', `{"connectorId":"${bad}","status":"Available","errorCode":"NoError"}`],
  ['Authorize', `{"idTag":"${bad}"}`],
  ['StartTransaction', `{"connectorId":1,"idTag":"${bad}","meterStart":100,"timestamp":"${bad}"}`],
  [
    'StartTransaction',
    `{"connectorId":1,"idTag":"TAG","meterStart":"${bad}","timestamp":"${at}","reservationId":"${bad}"}`,
  ],
  [
    'MeterValues',
    `{"connectorId":"${bad}","transactionId":"${bad}","meterValue":[{"timestamp":"${bad}","sampledValue":[
      {"value":"${bad}","context":"${bad}","format":"${bad}","measurand":"${bad}","phase":"${bad}","location":"${bad}",
      "unit":"${bad}"},{"value":"5","context":"${bad}"}]}]}`,
  ],
  [
    'StopTransaction',
    `{"transactionId":"${bad}","meterStop":200,"timestamp":"${bad}","idTag":"${bad}","reason":"${bad}","transactionData":[
      {"timestamp":"${bad}","sampledValue":[{"value":"${bad}","unit":"${bad}"}]}]}`,
  ],
  ['DataTransfer', `{"vendorId":"${bad}","messageId":"${bad}","data":"${bad}"}`],
  ['DataTransfer', `{"vendorId":"v","data":{"${bad}":["${bad}"]}}`],
  ['DiagnosticsStatusNotification', `{"status":"${bad}"}`],
  ['FirmwareStatusNotification', `{"status":"${bad}"}`],
  ['LogStatusNotification', `{"status":"${bad}","requestId":"${bad}"}`],
  ['SecurityEventNotification', `{"type":"${bad}","timestamp":"${bad}","techInfo":"${bad}"}`],
];

test.each(messages)(
  '%s with characters that a database cannot store is never an internal error',
  async (action, payload) => {
    const { send } = await connect();
    const answer = await send(action, payload.replaceAll(/\s*\n\s*/g, ''));
    const refusable = action === 'StatusNotification' && payload.startsWith('{"connectorId":"');
    expect(answer.slice(0, refusable ? 3 : 1)).toEqual(refusable ? [4, answer[1], 'TypeConstraintViolation'] : [3]);
  },
);

test('a reading of a running charge with such characters in its texts is counted', async () => {
  const { point, send } = await connect();
  const { id, tag } = await gateway.addOperation(point, point.connectorIds[0] ?? 0);
  const start = await send(
    'StartTransaction',
    `{"connectorId":1,"idTag":"${tag}","meterStart":1000,"timestamp":"${at}"}`,
  );
  const { transactionId } = start[2] as { transactionId: number };
  const sampled = `{"value":"1200","unit":"Wh","context":"${bad}","location":"${bad}","format":"${bad}"}`;
  const meterValue = `[{"timestamp":"${ago(10).toISOString()}","sampledValue":[${sampled}]}]`;
  const answer = await send(
    'MeterValues',
    `{"connectorId":1,"transactionId":${transactionId},"meterValue":${meterValue}}`,
  );
  expect(answer[0]).toBe(3);
  expect(await gateway.operation(id)).toMatchObject({ energy_wh: 200 });
});

test('the characters are replaced, not removed: a tag that contains one is not the tag without it', async () => {
  const { point, send } = await connect();
  await send('BootNotification', `{"chargePointVendor":"${bad}","chargePointModel":"${bad}"}`);
  expect(await gateway.chargePoint(point.id)).toMatchObject({ vendor: replaced, model: replaced });
  const { tag } = await gateway.addOperation(point, point.connectorIds[0] ?? 0);
  const forged = `${tag.slice(0, 4)}\\u0000${tag.slice(4)}`;
  expect(await send('Authorize', `{"idTag":"${forged}"}`)).toMatchObject([3, {}, { idTagInfo: { status: 'Invalid' } }]);
  expect(await send('Authorize', `{"idTag":"${tag}"}`)).toMatchObject([3, {}, { idTagInfo: { status: 'Accepted' } }]);
});

test('an error with such characters in the answer to our command ends that command', async () => {
  const { point } = await connect((id) => `[4,"${id}","${bad}","${bad}",{"${bad}":"${bad}"}]`);
  const outcome = await gateway.commands.send({ chargePointId: point.id, action: 'Reset', payload: { type: 'Soft' } });
  expect(outcome).toMatchObject({ status: 'error', answer: { code: replaced, description: `Reset: ${replaced}` } });
});

test('texts of an answer to our command are stored too', async () => {
  const { point } = await connect((id, action) =>
    action === 'GetConfiguration'
      ? `[3,"${id}",{"configurationKey":[{"key":"${bad}","readonly":false,"value":"${bad}"}],"unknownKey":["${bad}"]}]`
      : `[3,"${id}",{"status":"${bad}"}]`,
  );
  const outcome = await gateway.commands.send({ chargePointId: point.id, action: 'GetConfiguration', payload: {} });
  expect(outcome).toMatchObject({ status: 'answered', answer: { unknownKey: [replaced] } });
});
