import { expect, test } from 'vitest';
import { deviceNameOf, networkOf } from './user-agent.ts';

const chromeOn = (system: string) => `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0`;

test.each([
  [`${chromeOn('Windows NT 10.0; Win64; x64')} Safari/537.36`, 'Chrome', 'Windows'],
  [`${chromeOn('Windows NT 10.0; Win64; x64')} Safari/537.36 Edg/141.0.0.0`, 'Edge', 'Windows'],
  [`${chromeOn('X11; Linux x86_64')} Safari/537.36 OPR/120.0.0.0`, 'Opera', 'Linux'],
  [`${chromeOn('Linux; Android 15; SM-S921B')} Mobile Safari/537.36`, 'Chrome', 'Android'],
  [
    `Mozilla/5.0 (Linux; Android 15; SAMSUNG SM-S921B) SamsungBrowser/28.0 Chrome/130.0 Mobile`,
    'Samsung Internet',
    'Android',
  ],
  ['Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox', 'Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/18.6 Mobile/15E148 Safari/604.1',
    'Safari',
    'iPhone',
  ],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) CriOS/141.0 Mobile/15E148 Safari/604.1', 'Chrome', 'iPhone'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) FxiOS/143.0 Mobile/15E148', 'Firefox', 'iPhone'],
  ['Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) Version/18.6 Safari/604.1', 'Safari', 'iPad'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.6 Safari/605.1.15', 'Safari', 'macOS'],
  [`${chromeOn('X11; CrOS x86_64 14541.0.0')} Safari/537.36`, 'Chrome', 'ChromeOS'],
  ['curl/8.5.0', null, null],
  ['', null, null],
  ['<img src=x onerror=alert(1)>', null, null],
])('%s is shown as %s on %s', (userAgent, browser, system) => {
  expect(deviceNameOf(userAgent)).toEqual({ browser, system });
});

test.each([
  ['93.74.12.9', '93.74.x.x'],
  ['::ffff:93.74.12.9', '93.74.x.x'],
  ['2a02:2378:11a:77::1', '2a02:2378:x'],
  ['127.0.0.1', null],
  ['10.0.3.4', null],
  ['192.168.1.7', null],
  ['172.20.0.1', null],
  ['172.32.0.1', '172.32.x.x'],
  ['::1', null],
  ['fe80::1', null],
  ['fd00::1', null],
  ['nonsense', null],
])('the network of %s is shown as %s', (address, shown) => {
  expect(networkOf(address)).toBe(shown);
});
