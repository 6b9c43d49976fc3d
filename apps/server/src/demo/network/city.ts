/** A street with a place on it; its stations are on both sides of that place. */
export interface Street {
  uk: string;
  en: string;
  lat: number;
  lon: number;
}

export interface DemoCity {
  uk: string;
  en: string;
  /** How many stations the demo network has here. */
  stations: number;
  streets: Street[];
}
