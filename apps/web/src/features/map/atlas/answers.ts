import { createAtlas } from './atlas.ts';
import type { QuestionName, Questions } from './messages.ts';
import { Place } from './place.ts';
import { chunksOnWire } from './wire.ts';

type Answers = { [Name in QuestionName]: (ask: Questions[Name]['ask']) => Questions[Name]['answer'] };

/** The worker's side of each question. Apart from the worker, so that it can be tried without one. */
export function createAnswers(): Answers {
  const atlas = createAtlas();
  return {
    take({ bytes, isWhole }) {
      atlas.take(placesIn(bytes), isWhole);
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

/** `bytes`: the answer of the server, a list of chunks. */
export function placesIn(bytes: ArrayBuffer): Place[] {
  return chunksOnWire(new Uint8Array(bytes)).map((chunk) => new Place(chunk));
}
