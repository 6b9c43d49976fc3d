import { networkInterfaces } from 'node:os';
import { demoAccounts, demoPassword } from '../../apps/server/src/demo/accounts.ts';
import { planDemoNetwork } from '../../apps/server/src/demo/network/plan.ts';
import { terminalCode } from './terminal-code.ts';

export interface Welcome {
  /** The address of the app as a browser opens it. */
  app: string;
  sandbox: string;
  simulator: string;
  /** False for a demo without stations. */
  hasNetwork: boolean;
  /** True when other devices of the network can open the app. */
  isForPhones: boolean;
  logPath: string;
  dataDir: string;
  hasColours: boolean;
  readySeconds: number;
}

/** A fast station with several connectors at the demo's shopping centre, open to everyone. */
const triedStation = 'F1400';

/** What a person needs after the start and no more: addresses, accounts and three things to try. */
export function welcomeText(welcome: Welcome): string {
  const { app, sandbox, simulator, logPath, dataDir, readySeconds, hasNetwork } = welcome;
  const lines = [
    '',
    `FPay is ready: ${app}  (after ${readySeconds.toFixed(1)} s)`,
    '',
    `  back office    ${app}/admin`,
    `  API            ${app}/api/docs`,
    `  sandbox        ${sandbox}    bank, SMS, Telegram`,
    `  simulator      ${simulator}    charge points and cars`,
    '',
    `Accounts, password ${demoPassword}:`,
    ...demoAccounts.map(({ phone, role, note }) => `  ${phone}  ${role.padEnd(10)}  ${note}`),
    '',
    ...(hasNetwork ? thingsToTry(welcome) : []),
    `Log of requests and messages: ${logPath}`,
    `Data: ${dataDir}. Ctrl-C stops everything.`,
    '',
  ];
  return lines.join('\n');
}

function thingsToTry({ app, simulator, isForPhones, hasColours }: Welcome): string[] {
  const station = planDemoNetwork().find(({ number }) => number === triedStation);
  if (!station) return [];
  const link = `${app}/qr/${station.link}`;
  const scan = isForPhones
    ? ['   Scan it with a phone in the same network, and pay from the balance: the sandbox bank opens only here.']
    : ['   On this computer open the link. To scan it with a phone in your network: npm start -- --phone'];
  return [
    'Three things to try',
    '',
    `1. Scan the code of station ${station.number} and sign in as +380500000001: ${link}`,
    ...scan,
    '',
    ...terminalCode(link, hasColours).map((line) => `   ${line}`),
    '',
    `2. Plug a car in at ${station.identity}, then start the charge in the app: ${simulator}`,
    `3. Open the back office as +380500000014 and look at this charge: ${app}/admin`,
    '',
  ];
}

/** The address of this computer in its own network, for phones; null when it has none. */
export function networkAddress(interfaces = networkInterfaces()): string | null {
  const isPrivate = (address: string) => /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(address);
  // Bridges of containers and virtual machines are not reachable from a phone.
  const isVirtual = (name: string) => /^(docker|br-|veth|virbr|vmnet|utun|tun|tap|wg)/.test(name);
  for (const [name, addresses = []] of Object.entries(interfaces)) {
    if (isVirtual(name)) continue;
    const found = addresses.find(
      ({ family, internal, address }) => family === 'IPv4' && !internal && isPrivate(address),
    );
    if (found) return found.address;
  }
  return null;
}
