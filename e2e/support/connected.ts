import { setTimeout as sleep } from 'node:timers/promises';
import type { MapChunk } from '../../packages/contract/src/stations.ts';

/** As the simulator tells of a charge point. */
interface Point {
  station: string;
  scenario: string;
  isConnected: boolean;
  isBooted: boolean;
}

const patienceMs = 120_000;
const betweenLooksMs = 500;
const simulator = () => process.env.SIMULATOR_URL ?? 'http://127.0.0.1:8091';

/**
 * Resolves once the demo's charge points stand behind their stations, both for themselves and on the server's map. Before
 * that every station would be photographed as away, and whoever measures would measure them connecting.
 */
export async function demoIsConnected(site: string): Promise<void> {
  const until = Date.now() + patienceMs;
  let missing = 'nothing was heard of the simulator';
  while (Date.now() < until) {
    const [points, chunks] = await Promise.all([
      read<Point[]>(`${simulator()}/charge-points`),
      read<MapChunk[]>(`${site}/api/map/stations`),
    ]);
    // It lists none before it has read the network.
    if (points && points.length > 0 && chunks) {
      const away = awayOf(points, chunks);
      if (away.length === 0) return;
      missing = `${away.length} are away, ${away.slice(0, 5).join(', ')} among them`;
    }
    await sleep(betweenLooksMs);
  }
  throw new Error(`The demo's charge points did not connect within ${patienceMs / 1000} s: ${missing}`);
}

/** Stations that are not there yet; those that play a dead one are not waited for. */
function awayOf(points: readonly Point[], chunks: readonly MapChunk[]): string[] {
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
