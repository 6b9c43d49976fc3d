import type { MapChunk } from '@fpay/contract/stations';
import { createAtlas } from './atlas.ts';
import type { QuestionName, Questions } from './messages.ts';

type Answers = { [Name in QuestionName]: (ask: Questions[Name]['ask']) => Questions[Name]['answer'] };

/** The worker's side of each question. Apart from the worker, so that it can be tried without one. */
export function createAnswers(): Answers {
  const atlas = createAtlas();
  return {
    take({ bytes, isWhole }) {
      atlas.take(chunksIn(bytes), isWhole);
      return null;
    },
    choose({ types }) {
      atlas.choose(types);
      return null;
    },
    counts: () => atlas.counts(),
    promote({ promotions }) {
      atlas.promote(promotions);
      return null;
    },
    markers: ({ screen }) => atlas.markers(screen),
    place: ({ key }) => atlas.place(key),
    members: ({ level, id }) => atlas.members(level, id),
    search: ({ typed, near }) => atlas.search(typed, near),
    inView: ({ screen, most }) => atlas.inView(screen, most),
  };
}

/** A schema would take longer over 50,000 stations than all the rest; only what would break the map is looked at. */
export function chunksIn(bytes: ArrayBuffer): MapChunk[] {
  const list: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (!Array.isArray(list)) throw new TypeError('The map is not a list of chunks');
  return list.filter(isChunk);
}

function isChunk(value: Partial<MapChunk> | null): value is MapChunk {
  return typeof value?.lat === 'number' && typeof value.lon === 'number' && Array.isArray(value.stations);
}
