import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { NetworkInterfaceInfo } from 'node:os';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import decodeQR from 'qr/decode.js';
import { afterEach, describe, expect, test } from 'vitest';
import { openLogFile } from './log-file.ts';
import { createStepList } from './steps.ts';
import { terminalCode } from './terminal-code.ts';
import { networkAddress, welcomeText } from './welcome.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const welcome = {
  app: 'http://localhost:8080',
  sandbox: 'http://127.0.0.1:8090',
  simulator: 'http://127.0.0.1:8091',
  hasNetwork: true,
  isForPhones: false,
  logPath: '/clone/.data/demo.log',
  dataDir: '/clone/.data',
  hasColours: true,
  readySeconds: 12.34,
};

/** Reads the characters of a terminal as a camera would: eight dots a module, light on dark. */
function scan(lines: string[]): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of the terminal
  const rows = lines.map((line) => [...line.replaceAll(/\u001b\[[0-9;]*m/g, '').trim()]);
  const width = rows[0]?.length ?? 0;
  const light = rows.flatMap((row) => [row.map((c) => c === '█' || c === '▀'), row.map((c) => c === '█' || c === '▄')]);
  const scale = 8;
  const data = new Uint8Array(width * scale * light.length * scale * 4).fill(255);
  for (let y = 0; y < light.length * scale; y += 1) {
    for (let x = 0; x < width * scale; x += 1) {
      const value = light[Math.floor(y / scale)]?.[Math.floor(x / scale)] ? 255 : 0;
      data.set([value, value, value], (y * width * scale + x) * 4);
    }
  }
  return decodeQR({ width: width * scale, height: light.length * scale, data });
}

describe('what npm start prints', () => {
  test.each([true, false])('the code in the terminal can be scanned, colours: %s', (hasColours) => {
    const link = 'http://192.168.1.20:8080/qr/ab2cd3';
    expect(scan(terminalCode(link, hasColours))).toBe(link);
  });

  test('addresses, accounts and three things to try, and nothing that is wider than a terminal', () => {
    const text = welcomeText(welcome);
    expect(text).toContain('FPay is ready: http://localhost:8080');
    expect(text).toContain('+380500000014  SuperAdmin');
    expect(text).toContain('/clone/.data/demo.log');
    const code = text.split('\n').filter((line) => line.includes('\u001b[97;40m'));
    const link = /http:\/\/localhost:8080\/qr\/[a-z0-9]{6}/.exec(text)?.[0];
    expect(scan(code)).toBe(link);
    expect(text).toMatch(/1\. Scan the code[\s\S]*2\. Plug a car in at CP-F1400[\s\S]*3\. Open the back office/);
    for (const line of welcomeText({ ...welcome, hasColours: false }).split('\n')) {
      expect(line.length).toBeLessThanOrEqual(110);
    }
  });

  test('a demo without stations has no code to scan', () => {
    expect(welcomeText({ ...welcome, hasNetwork: false })).not.toContain('Three things');
  });

  const at = (address: string, internal = false) => ({ family: 'IPv4', address, internal }) as NetworkInterfaceInfo;
  test.each([
    ['a home network', { lo: [at('127.0.0.1', true)], wlan0: [at('192.168.1.20')] }, '192.168.1.20'],
    ['an office network', { eth0: [at('172.20.3.4')] }, '172.20.3.4'],
    ['a bridge of containers only', { docker0: [at('172.17.0.1')] }, null],
    ['a public address only', { eth0: [at('91.200.1.2')] }, null],
    ['loopback only', { lo: [at('127.0.0.1', true)] }, null],
  ])('the address for phones on %s', (_, interfaces, address) => {
    expect(networkAddress(interfaces)).toBe(address);
  });

  test('each step is one line with its time, also in a file', () => {
    let text = '';
    let time = 0;
    const steps = createStepList({ write: (part) => (text += part) }, () => time);
    steps.begin('database');
    steps.note('server | WARN disk is slow');
    time = 2_440;
    steps.end('database');
    expect(text).toMatch(/^server \| WARN disk is slow\n {2}✓ database +2\.4 s\n$/);
  });

  test('in a terminal the running step is replaced by its result', () => {
    let text = '';
    const steps = createStepList({ isTTY: true, write: (part) => (text += part) }, () => 0);
    steps.begin('database');
    expect(text).toBe('  … database');
    steps.end('database');
    expect(text).toContain('\r\u001b[K  ✓ database');
  });
});

test('the log file keeps its content and one older file, and never grows past its limit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fpay-demo-log-'));
  folders.push(folder);
  const path = join(folder, 'data', 'demo.log');
  const first = openLogFile(path, 100);
  first.write('first start');
  first.close();
  const log = openLogFile(path, 100);
  for (let line = 0; line < 30; line += 1) log.write(`request ${line}`);
  log.close();
  expect(readFileSync(path, 'utf8')).toContain('request 29');
  expect(readFileSync(path).byteLength).toBeLessThanOrEqual(100);
  expect(existsSync(`${path}.1`)).toBe(true);
  expect(log.latest()).toEqual(Array.from({ length: 15 }, (_, index) => `request ${index + 15}`));
});
