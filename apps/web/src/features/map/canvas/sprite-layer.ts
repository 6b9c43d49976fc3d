import Layer from 'ol/layer/Layer.js';
import type { FrameState } from 'ol/Map.js';
import { apply } from 'ol/transform.js';
import type { Sprite } from './sprites.ts';

/** A sprite at a place of the map; x and y are in the map's metres. */
export interface PlacedSprite {
  x: number;
  y: number;
  sprite: Sprite;
  /** Offset on the screen, CSS px. */
  dx?: number;
  dy?: number;
}

/**
 * Draws labels and markers as pictures at every frame. Nothing is styled, measured or stroked while the map moves,
 * which keeps it smooth without a GPU.
 */
export class SpriteLayer extends Layer {
  #laid: readonly PlacedSprite[] = [];
  #canvas: HTMLCanvasElement | null = null;

  constructor() {
    super({ zIndex: 10 });
  }

  setSprites(placed: readonly PlacedSprite[]): void {
    this.#laid = placed;
    this.changed();
  }

  override render(frame: FrameState | null, target: HTMLElement | null): HTMLElement {
    if (!frame) throw new Error('The map draws without a frame');
    // Draws into the canvas of the tiles where there is one, because a second canvas of this size costs as much as the
    // tiles.
    const container = target?.className === this.getClassName() ? target : this.#ownContainer();
    const canvas = container.querySelector('canvas') ?? this.#ownCanvas(container, frame);
    const context = canvas.getContext('2d');
    if (!context) return container;
    const { pixelRatio, coordinateToPixelTransform, size } = frame;
    if (canvas === this.#canvas) fit(canvas, frame);
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalAlpha = 1;
    for (const { x, y, sprite, dx = 0, dy = 0 } of this.#laid) {
      const [px = 0, py = 0] = apply(coordinateToPixelTransform, [x, y]);
      const left = px + dx - sprite.anchorX;
      const top = py + dy - sprite.anchorY;
      if (left > (size[0] ?? 0) || top > (size[1] ?? 0) || left + sprite.width < 0 || top + sprite.height < 0) continue;
      // On whole device pixels, which is sharp and several times cheaper than between them.
      const [toX, toY] = [Math.round(left * pixelRatio), Math.round(top * pixelRatio)];
      const { image, left: fromX, top: fromY, wide, high } = sprite;
      context.drawImage(image, fromX, fromY, wide, high, toX, toY, wide, high);
    }
    context.restore();
    return container;
  }

  #container: HTMLElement | null = null;

  /** Used only over a layer without a canvas. */
  #ownContainer(): HTMLElement {
    if (!this.#container) {
      this.#container = document.createElement('div');
      this.#container.style.position = 'absolute';
      this.#container.style.width = '100%';
      this.#container.style.height = '100%';
    }
    return this.#container;
  }

  #ownCanvas(container: HTMLElement, frame: FrameState): HTMLCanvasElement {
    this.#canvas = document.createElement('canvas');
    this.#canvas.style.position = 'absolute';
    fit(this.#canvas, frame);
    container.append(this.#canvas);
    return this.#canvas;
  }
}

/** Sets the size of the map in device pixels; setting it also clears the canvas. */
function fit(canvas: HTMLCanvasElement, { size, pixelRatio }: FrameState): void {
  const [width = 0, height = 0] = size;
  canvas.width = Math.round(width * pixelRatio);
  canvas.height = Math.round(height * pixelRatio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
}
