import type { Answer, QuestionName, Questions } from './messages.ts';

export interface RemoteAtlas {
  ask<Name extends QuestionName>(name: Name, ask: Questions[Name]['ask']): Promise<Questions[Name]['answer']>;
}

let kept: RemoteAtlas | null = null;

/** One for the life of the page: whoever comes back to the map finds it as it was. */
export function atlas(): RemoteAtlas {
  kept ??= startAtlas();
  return kept;
}

function startAtlas(): RemoteAtlas {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>();
  let lastId = 0;

  worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if ('failure' in data) asked?.reject(new Error(data.failure));
    else asked?.resolve(data.answer as never);
  });
  // The script did not come over the network: the next question starts it anew.
  worker.addEventListener('error', () => {
    kept = null;
    worker.terminate();
    for (const { reject } of waiting.values()) reject(new Error('The map worker is gone'));
    waiting.clear();
  });

  return {
    ask(name, ask) {
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, name, ask }, 'bytes' in ask ? [ask.bytes] : []);
      });
    },
  };
}
