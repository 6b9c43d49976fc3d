import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

export interface LightSocket {
  send(text: string): void;
  /** Sends a frame of `textFrameOf`; its bytes may be reused when the other side has answered. */
  sendFrame(frame: Buffer): void;
  onText: (text: string) => void;
  onClose: () => void;
  terminate(): void;
  isClosed(): boolean;
}

const shortest = 126;
const textFrame = 0x81;
const pingFrame = 0x89;
const pongFrame = 0x8a;

/**
 * A WebSocket client with only what the bench needs: whole text frames and pings. On a machine with two cores, the CPU
 * time of a complete client would be missing from the measured server.
 */
export function openLightSocket(url: URL, headers: Record<string, string>): Promise<LightSocket> {
  return new Promise((resolve, reject) => {
    const wire = connect({ port: Number(url.port), host: url.hostname, noDelay: true });
    const asked = {
      Host: url.host,
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
      'Sec-WebSocket-Protocol': 'ocpp1.6',
      ...headers,
    };
    const lines = Object.entries(asked).map(([name, value]) => `${name}: ${value}\r\n`);
    wire.write(`GET ${url.pathname} HTTP/1.1\r\n${lines.join('')}\r\n`);
    let head = Buffer.alloc(0);
    const onHead = (chunk: Buffer) => {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      wire.off('data', onHead);
      if (!head.subarray(0, 32).toString('latin1').startsWith('HTTP/1.1 101')) {
        wire.destroy();
        return reject(new Error(head.subarray(0, 32).toString('latin1')));
      }
      resolve(openedOn(wire, head.subarray(end + 4)));
    };
    wire.on('data', onHead);
    wire.on('error', reject);
  });
}

function openedOn(wire: Socket, first: Buffer): LightSocket {
  const socket: LightSocket = {
    send: (text) => void wire.write(textFrameOf(text)),
    sendFrame: (frame) => void wire.write(frame),
    onText: () => {},
    onClose: () => {},
    terminate: () => void wire.destroy(),
    isClosed: () => wire.closed,
  };
  let rest = first;
  function take(chunk: Buffer): void {
    let data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    while (data.length >= 2) {
      const short = (data[1] ?? 0) & 0x7f;
      if (short > shortest) throw new Error('a frame longer than the bench expects');
      const start = short < shortest ? 2 : 4;
      if (data.length < start) break;
      const end = start + (short < shortest ? short : data.readUInt16BE(2));
      if (data.length < end) break;
      if (data[0] === textFrame) socket.onText(data.toString('utf8', start, end));
      else if (data[0] === pingFrame) wire.write(frameOf(pongFrame, data.subarray(start, end)));
      data = data.subarray(end);
    }
    rest = data;
  }
  wire.on('data', take);
  wire.on('close', () => socket.onClose());
  wire.on('error', () => {});
  take(Buffer.alloc(0));
  return socket;
}

export const textFrameOf = (text: string): Buffer => frameOf(textFrame, Buffer.from(text));

/** A client must mask its frames; with a key of zeros the text stays unchanged. */
function frameOf(kind: number, payload: Buffer): Buffer {
  const isShort = payload.length < shortest;
  const head = isShort ? 6 : 8;
  const frame = Buffer.allocUnsafe(head + payload.length);
  frame[0] = kind;
  frame[1] = 0x80 | (isShort ? payload.length : shortest);
  if (!isShort) frame.writeUInt16BE(payload.length, 2);
  frame.fill(0, head - 4, head);
  payload.copy(frame, head);
  return frame;
}
