import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isScenario, type ScenarioName, scenarioNames } from './scenario.ts';

export interface Options {
  url: string;
  /** Where the list of charge points comes from. */
  source: { kind: 'load'; from: string } | { kind: 'wait'; file: string } | { kind: 'generate'; count: number };
  password: string;
  scenario: ScenarioName;
  speed: number;
  stamps: 'simulated' | 'wall';
  seed: string;
  hasTraffic: boolean;
  connectsPerSecond: number;
  /** Null means no control page. */
  port: number | null;
}

export class BadOption extends Error {}

export const usage = `npm run simulate -- [options]

  --url ws://host:port/ocpp   the central system (SIMULATOR_URL; else this machine's PORT)
  --network file.json | -     charge points from a file or standard input
  --from http://…             charge points from an address
  --count N                   N invented charge points, SIM00001 and up
  --password text             the password of invented ones
  --scenario name             ${scenarioNames.join(', ')}
  --speed 60                  an hour passes in a minute (SIMULATOR_SPEED)
  --wall-clock                timestamps stay real however fast the world runs
  --traffic | --no-traffic    cars come and go by themselves (on for the demo)
  --seed text                 the same seed makes the same day (SIMULATOR_SEED)
  --connects-per-second 400   how fast they connect
  --port 8091 | --no-page     the control page (SIMULATOR_PORT)

Without --network, --from or --count: the demo's network, SIMULATOR_NETWORK or DATA_DIR/demo-network.json, as soon as it is there.`;

/** Where a setting has neither a flag nor a variable. */
const usual = {
  port: '8080',
  dataDir: '.data',
  speed: '1',
  seed: 'fpay',
  connectsPerSecond: '400',
  pagePort: '8091',
  scenario: 'normal',
} as const;

export function readOptions(args: string[], env: NodeJS.ProcessEnv): Options {
  const values = parse(args);
  const source = sourceOf(values, env);
  const scenario = values.scenario ?? usual.scenario;
  if (!isScenario(scenario)) throw new BadOption(`--scenario: one of ${scenarioNames.join(', ')}`);
  const perSecond = values['connects-per-second'] || usual.connectsPerSecond;
  return {
    url: url(values.url || env.SIMULATOR_URL || `ws://127.0.0.1:${env.PORT || usual.port}/ocpp`),
    source,
    password: values.password ?? '',
    scenario,
    speed: number('--speed', values.speed || env.SIMULATOR_SPEED || usual.speed, 0.01, 10_000),
    stamps: values['wall-clock'] === true ? 'wall' : 'simulated',
    seed: values.seed ?? env.SIMULATOR_SEED ?? usual.seed,
    hasTraffic: values.traffic ?? source.kind === 'wait',
    connectsPerSecond: number('--connects-per-second', perSecond, 1, 100_000),
    port:
      values.page === false ? null : number('--port', values.port || env.SIMULATOR_PORT || usual.pagePort, 0, 65_535),
  };
}

/** One of three ways to name charge points, or none: then the demo's network, as soon as it is there. */
function sourceOf({ network, from, count }: ReturnType<typeof parse>, env: NodeJS.ProcessEnv): Options['source'] {
  const given = [network, from, count].filter((value) => value !== undefined);
  if (given.length > 1) throw new BadOption('Give one of --network, --from and --count');
  if (count !== undefined) return { kind: 'generate', count: number('--count', count, 1, 50_000) };
  const place = network ?? from;
  if (place !== undefined) return { kind: 'load', from: place };
  return { kind: 'wait', file: env.SIMULATOR_NETWORK || join(env.DATA_DIR || usual.dataDir, 'demo-network.json') };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowNegative: true,
      options: {
        url: { type: 'string' },
        network: { type: 'string' },
        from: { type: 'string' },
        count: { type: 'string' },
        password: { type: 'string' },
        scenario: { type: 'string' },
        speed: { type: 'string' },
        'wall-clock': { type: 'boolean' },
        traffic: { type: 'boolean' },
        seed: { type: 'string' },
        'connects-per-second': { type: 'string' },
        port: { type: 'string' },
        page: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new BadOption(error instanceof Error ? error.message : String(error));
  }
}

function number(name: string, text: string, low: number, high: number): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= low && value <= high))
    throw new BadOption(`${name}: a number from ${low} to ${high}, not ${text}`);
  return value;
}

function url(text: string): string {
  const parsed = URL.canParse(text) ? new URL(text) : null;
  if (parsed === null || !/^wss?:$/.test(parsed.protocol))
    throw new BadOption(`--url: a ws:// or wss:// address, not ${text}`);
  return text;
}
