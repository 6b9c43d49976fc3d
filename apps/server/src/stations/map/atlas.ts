import type { MapChunk, MapStation } from '@fpay/contract/stations';
import { isVisible, type Side } from '../../party/membership.ts';
import { chunkPlace } from '../chunk.ts';

/** Which map: members of a closed party see that party's map, all other users the public one (null). */
export type Variant = Side;

export interface IndexedStation extends MapStation {
  id: number;
  chunk: string;
  closedPartyId: Side;
}

/**
 * The chunk as one variant sees it. Null when it had stations and has none now, which must be sent as well. It is
 * stored as bytes, because encoding the whole text each time took longer than collecting it.
 */
interface View {
  json: Buffer | null;
  changedAt: number;
}

interface Chunk {
  name: string;
  stations: Map<number, IndexedStation>;
  views: Map<Variant, View>;
}

/**
 * The whole map in memory, chunk by chunk and ready to be sent. A change affects one chunk; an answer joins existing
 * texts. Versions come from the database, so that another node can continue a map of this one.
 */
export function createStationIndex() {
  const chunks = new Map<string, Chunk>();
  const chunkOf = new Map<number, Chunk>();
  let inOrder: Chunk[] | null = null;

  function chunkNamed(name: string): Chunk {
    const known = chunks.get(name);
    if (known) return known;
    const chunk: Chunk = { name, stations: new Map(), views: new Map() };
    chunks.set(name, chunk);
    return chunk;
  }

  function move(id: number, station: IndexedStation | null): Set<Chunk> {
    const touched = new Set<Chunk>();
    const before = chunkOf.get(id);
    if (before) {
      before.stations.delete(id);
      chunkOf.delete(id);
      touched.add(before);
    }
    if (station) {
      const chunk = chunkNamed(station.chunk);
      chunk.stations.set(id, station);
      chunkOf.set(id, chunk);
      touched.add(chunk);
    }
    if (before !== chunkOf.get(id)) inOrder = null;
    return touched;
  }

  function redraw(chunk: Chunk, changedAt: number): boolean {
    const stations = [...chunk.stations.values()].sort((a, b) => a.id - b.id);
    const parties = stations.flatMap(({ closedPartyId }) => closedPartyId ?? []);
    let isChanged = false;
    for (const variant of new Set<Variant>([null, ...chunk.views.keys(), ...parties])) {
      const visible = stations.filter(({ closedPartyId }) => isVisible(closedPartyId, variant));
      const json = visible.length > 0 ? draw(chunk.name, visible) : null;
      const view = chunk.views.get(variant);
      // There has never been a station for this variant; sending that it is gone would show outsiders the place of a
      // closed station.
      if (!view && json === null) continue;
      if (!isSame(view?.json ?? null, json)) isChanged = true;
      // Also when the text is the same, because this change may have been read earlier, under an older version.
      chunk.views.set(variant, { json, changedAt });
    }
    return isChanged;
  }

  function ordered(): Chunk[] {
    // Sorted by the oldest station: the order is the same on every node, and neighbours are often in one city and
    // compress well.
    inOrder ??= [...chunks.values()].sort((a, b) => firstId(a) - firstId(b));
    return inOrder;
  }

  function* views(variant: Variant): Generator<[Chunk, View]> {
    for (const chunk of ordered()) {
      const view = chunk.views.get(variant) ?? chunk.views.get(null);
      if (view) yield [chunk, view];
    }
  }

  return {
    /** True when the map of some variant looks different now. */
    put(id: number, station: IndexedStation | null, changedAt: number): boolean {
      let isChanged = false;
      for (const chunk of move(id, station)) isChanged = redraw(chunk, changedAt) || isChanged;
      return isChanged;
    },

    whole(variant: Variant): Buffer {
      const drawn: Buffer[] = [];
      for (const [, { json }] of views(variant)) if (json !== null) drawn.push(json);
      return listOf(drawn);
    },

    /** The chunks that changed after this version. */
    changes(variant: Variant, since: number): Buffer {
      const drawn: Buffer[] = [];
      for (const [{ name }, { json, changedAt }] of views(variant)) {
        if (changedAt > since) drawn.push(json ?? draw(name, []));
      }
      return listOf(drawn);
    },
  };
}

export type StationIndex = ReturnType<typeof createStationIndex>;

function draw(name: string, stations: IndexedStation[]): Buffer {
  const chunk: MapChunk = {
    ...chunkPlace(name),
    stations: stations.map(({ number, address, address_uk, is_online, connectors }) => ({
      number,
      address,
      address_uk,
      is_online,
      connectors,
    })),
  };
  return Buffer.from(JSON.stringify(chunk));
}

function isSame(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}

/** A JSON array of values that are already encoded as JSON. */
function listOf(values: Buffer[]): Buffer {
  const comma = Buffer.from(',');
  const parts = values.flatMap((value, index) => (index === 0 ? [value] : [comma, value]));
  return Buffer.concat([Buffer.from('['), ...parts, Buffer.from(']')]);
}

/** Chunks without stations are only remembered and sorted last. */
function firstId({ stations }: Chunk): number {
  let first = Number.MAX_SAFE_INTEGER;
  for (const id of stations.keys()) if (id < first) first = id;
  return first;
}
