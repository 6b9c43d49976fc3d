import type { Translated } from '@fpay/contract/translated';

export type LabelLook = 'capital' | 'city' | 'town' | 'village' | 'district' | 'street' | 'abroad' | 'water' | 'sea';

export interface Label {
  names: Translated<string>;
  lat: number;
  lon: number;
  look: LabelLook;
  /** The lowest zoom at which it is shown. */
  fromZoom: number;
  toZoom: number;
  /** The label with the larger weight is placed first. */
  weight: number;
}

/** A name along a line, for example of a street. */
export interface LineLabel {
  names: Translated<string>;
  look: LabelLook;
  weight: number;
  /** x, y, x, y … in a world of width and height 1 (Web Mercator). */
  path: number[];
}

export interface PlacedLabel {
  label: Label;
  look: LabelLook;
  text: string;
  /** Centre of the text relative to its place, in CSS px. */
  dx: number;
  dy: number;
  /** Radians; a name along a street. */
  angle?: number;
}

/** The area of the screen that a label takes, in CSS px. */
export interface LabelBounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}
