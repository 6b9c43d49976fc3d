import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { mostRatedW } from '@fpay/contract/admin/network/stations';
import { ConnectorType } from '@fpay/contract/connectors';
import * as z from 'zod/mini';
import { scenarioNames } from './scenario.ts';

const NetworkConnector = z.object({
  id: z.int().check(z.gte(1), z.lte(100)),
  type: ConnectorType,
  powerW: z.int().check(z.gte(1), z.lte(mostRatedW)),
});

const NetworkChargePoint = z.object({
  identity: z.string().check(z.minLength(1), z.maxLength(255)),
  password: z._default(z.string(), ''),
  /** The station number that drivers see, and the address; for the control page. */
  station: z.optional(z.string()),
  address: z.optional(z.string()),
  scenario: z.optional(z.enum(scenarioNames)),
  connectors: z.array(NetworkConnector).check(z.minLength(1)),
});

/** A list of charge points, or an object that also lists the RFID cards of the demo's drivers. */
const NetworkFile = z.union([
  z.array(NetworkChargePoint),
  z.object({ chargePoints: z.array(NetworkChargePoint), cards: z._default(z.array(z.string()), []) }),
]);

type NetworkChargePoint = z.infer<typeof NetworkChargePoint>;

export interface Network {
  chargePoints: NetworkChargePoint[];
  /** Cards with which automatic cars may charge. Without cards they only plug in and wait. */
  cards: string[];
}

export function parseNetwork(json: string): Network {
  const parsed = z.parse(NetworkFile, JSON.parse(json));
  const network = Array.isArray(parsed) ? { chargePoints: parsed, cards: [] } : parsed;
  const identities = new Set<string>();
  for (const { identity } of network.chargePoints) {
    if (identities.has(identity)) throw new Error(`${identity} is listed twice`);
    identities.add(identity);
  }
  return network;
}

/** Loads from a file, from standard input (`-`) or from a URL. */
export async function loadNetwork(source: string): Promise<Network> {
  if (source === '-') return parseNetwork(await text(process.stdin));
  if (!/^https?:/.test(source)) return parseNetwork(await readFile(source, 'utf8'));
  const answer = await fetch(source, { signal: AbortSignal.timeout(30_000) });
  if (!answer.ok) throw new Error(`${source} answered ${answer.status}`);
  return parseNetwork(await answer.text());
}

/** The demo writes its network at its first start, which may take minutes; until then the simulator waits. */
export async function waitForNetwork(file: string, stop: AbortSignal): Promise<Network | null> {
  let lastProblem = '';
  while (!stop.aborted) {
    const json = await readFile(file, 'utf8').catch(() => null);
    if (json !== null) {
      try {
        return parseNetwork(json);
      } catch (error) {
        // The file is usually only half written; a file that stays invalid is logged once.
        const problem = `${file}: ${error instanceof Error ? error.message : error}`;
        if (problem !== lastProblem) console.error(problem);
        lastProblem = problem;
      }
    }
    await sleep(500, undefined, { signal: stop }).catch(() => {});
  }
  return null;
}

/** Generates charge points for load tests. */
export function generateNetwork(count: number, password: string): Network {
  const digits = Math.max(5, String(count).length);
  const chargePoints = Array.from({ length: count }, (_, index) => ({
    identity: `SIM${String(index + 1).padStart(digits, '0')}`,
    password,
    connectors: [
      { id: 1, type: 'ccstype2' as const, powerW: 60_000 },
      { id: 2, type: 'type2' as const, powerW: 22_000 },
    ],
  }));
  return { chargePoints, cards: [] };
}
