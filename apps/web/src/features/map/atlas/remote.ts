import type { AtlasAnswer, AtlasRequestName, AtlasRequests } from './messages.ts';

export interface RemoteAtlas {
  ask<Name extends AtlasRequestName>(
    name: Name,
    ask: AtlasRequests[Name]['input'],
  ): Promise<AtlasRequests[Name]['answer']>;
}

let instance: RemoteAtlas | null = null;

/** One instance for the life of the page, so that the map is unchanged after returning to it. */
export function atlas(): RemoteAtlas {
  instance ??= startAtlas();
  return instance;
}

function startAtlas(): RemoteAtlas {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>();
  let lastId = 0;

  worker.addEventListener('message', ({ data }: MessageEvent<AtlasAnswer>) => {
    const pending = waiting.get(data.id);
    waiting.delete(data.id);
    if ('failure' in data) pending?.reject(new Error(data.failure));
    else pending?.resolve(data.answer as never);
  });
  // The script could not be loaded; the next request starts it again.
  worker.addEventListener('error', () => {
    instance = null;
    worker.terminate();
    for (const { reject } of waiting.values()) reject(new Error('The map worker failed'));
    waiting.clear();
  });

  return {
    ask(name, input) {
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, name, input }, 'bytes' in input ? [input.bytes] : []);
      });
    },
  };
}
