import { setTimeout as sleep } from 'node:timers/promises';
import type { MapChunk } from '../../packages/contract/src/stations.ts';

/** A charge point as the simulator reports it. */
interface Point {
  station: string;
  scenario: string;
  isConnected: boolean;
  isBooted: boolean;
}

const connectTimeoutMs = 120_000;
const pollIntervalMs = 500;
const simulator = () => process.env.SIMULATOR_URL ?? 'http://127.0.0.1:8091';

/**
 * Resolves when the demo's charge points are connected, both by their own report and on the server's map. Earlier,
 * screenshots would show stations as offline, and measurements would include the connecting.
 */
export async function demoIsConnected(site: string): Promise<void> {
  const until = Date.now() + connectTimeoutMs;
  let missing = 'nothing was heard of the simulator';
  while (Date.now() < until) {
    const [points, chunks] = await Promise.all([
      read<Point[]>(`${simulator()}/charge-points`),
      read<MapChunk[]>(`${site}/api/map/stations`),
    ]);
    // The list is empty before the simulator has read the network.
    if (points && points.length > 0 && chunks) {
      const away = offlineStations(points, chunks);
      if (away.length === 0) return;
      missing = `${away.length} are away, ${away.slice(0, 5).join(', ')} among them`;
    }
    await sleep(pollIntervalMs);
  }
  throw new Error(`The demo's charge points did not connect within ${connectTimeoutMs / 1000} s: ${missing}`);
}

/** Stations that are not connected yet, except those whose scenario is offline. */
function offlineStations(points: readonly Point[], chunks: readonly MapChunk[]): string[] {
  const played = points.filter(({ scenario }) => scenario !== 'offline');
  const shown = new Map(chunks.flatMap(({ stations }) => stations.map((station) => [station.number, station])));
  return played.flatMap(({ station, isConnected, isBooted }) => {
    const onMap = shown.get(station);
    const isKnown = !onMap || (onMap.is_online && onMap.connectors.every(({ status }) => status !== 'unknown'));
    return isConnected && isBooted && isKnown ? [] : [station];
  });
}

async function read<T>(url: string): Promise<T | null> {
  const answer = await fetch(url).catch(() => null);
  return answer?.ok ? ((await answer.json()) as T) : null;
}
