/** A tile that takes longer is replaced by the embedded map until it comes. */
const limitMs = 2000;
/** After this many failed tiles in a row, the provider or the network is considered down. */
const mostFailures = 3;

/** Watches a provider's tiles, to decide whether its map can be shown. */
export function createTileHealth(onChange: () => void) {
  let late = 0;
  let failures = 0;
  let hasContent = false;
  const isFine = () => late === 0 && failures < mostFailures;

  function change(apply: () => void): void {
    const before = isFine();
    apply();
    if (isFine() !== before) onChange();
  }

  return {
    isFine,
    /** For a provider that cannot be opened at all. */
    fail: () => change(() => (failures = mostFailures)),
    /** Another provider begins. */
    reset: () => change(() => ([late, failures, hasContent] = [0, 0, false])),
    /**
     * Watches one tile. Empty tiles count as failures until one has content, because a broken provider sends nothing but
     * empty tiles; afterwards they are places where nothing is.
     */
    async watch<Tile extends object>(asked: Promise<Tile>, signal: AbortSignal): Promise<Tile> {
      let isLate = false;
      const timer = setTimeout(() => {
        if (signal.aborted) return;
        isLate = true;
        change(() => (late += 1));
      }, limitMs);
      const end = (apply: () => void) => {
        clearTimeout(timer);
        change(() => {
          if (isLate) late = Math.max(0, late - 1);
          apply();
        });
      };
      // A late tile that the map no longer needs says nothing about the provider.
      signal.addEventListener('abort', () => {
        if (isLate) change(() => (late = Math.max(0, late - 1)));
        isLate = false;
      });
      try {
        const tile = await asked;
        end(() => {
          if (!('isEmpty' in tile && tile.isEmpty)) [hasContent, failures] = [true, 0];
          else if (!hasContent) failures += 1;
        });
        return tile;
      } catch (error) {
        end(() => (failures += signal.aborted ? 0 : 1));
        throw error;
      }
    },
  };
}

export type TileHealth = ReturnType<typeof createTileHealth>;
