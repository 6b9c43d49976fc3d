import { isIPv4 } from 'node:net';
import { addressKey } from '../../platform/rate-limits.ts';

/** The first matching pattern gives the name. Browsers imitate each other, so the rarer names come first. */
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPT|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
];
const systems: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\b(Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

function nameIn(table: typeof browsers, userAgent: string): string | null {
  return table.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
}

/** Names of products, the same in every language. Null when unknown; never a part of what was sent. */
export function deviceNameOf(userAgent: string): { browser: string | null; system: string | null } {
  return { browser: nameIn(browsers, userAgent), system: nameIn(systems, userAgent) };
}

const privateNetworks =
  /^(0|10|127)\.|^169\.254\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\.|^(0|f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]):/;

/** The shortened network of an address: enough for its owner to recognise, too little to identify a person. */
export function networkOf(address: string): string | null {
  const key = addressKey(address);
  if (privateNetworks.test(key)) return null;
  if (isIPv4(key)) return `${key.split('.').slice(0, 2).join('.')}.x.x`;
  return key.endsWith('/64') ? `${key.split(':').slice(0, 2).join(':')}:x` : null;
}
