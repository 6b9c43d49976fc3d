import { createAtlas } from './atlas.ts';
import type { AtlasRequestName, AtlasRequests } from './messages.ts';
import { MapPlace } from './place.ts';
import { chunksOnWire } from './wire.ts';

type Answers = { [Name in AtlasRequestName]: (input: AtlasRequests[Name]['input']) => AtlasRequests[Name]['answer'] };

/** The handlers of the worker. They are separate from the worker so that they can be tested without one. */
export function createAnswers(): Answers {
  const atlas = createAtlas();
  return {
    load({ bytes, isWhole }) {
      atlas.load(placesIn(bytes), isWhole);
      return null;
    },
    setFilter({ types }) {
      atlas.setFilter(types);
      return null;
    },
    counts: () => atlas.counts(),
    setPromotions({ promotions }) {
      atlas.setPromotions(promotions);
      return null;
    },
    markers: ({ screen, selected }) => atlas.markers(screen, selected),
    place: ({ key }) => atlas.place(key),
    members: ({ parts }) => atlas.members(parts),
    search: ({ typed, near }) => atlas.search(typed, near),
    inView: ({ screen, most, near }) => atlas.inView(screen, most, near),
  };
}

/** `bytes` is the server's answer, a list of chunks. */
export function placesIn(bytes: ArrayBuffer): MapPlace[] {
  return chunksOnWire(new Uint8Array(bytes)).map((chunk) => new MapPlace(chunk));
}
