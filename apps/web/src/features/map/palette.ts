/** The colours of the map, because a canvas cannot read the stylesheet. */
export interface Palette {
  sea: string;
  land: string;
  abroad: string;
  border: string;
  borderHalo: string;
  region: string;
  cityLabel: string;
  placeLabel: string;
  waterLabel: string;
  labelHalo: string;
  disc: string;
  number: string;
  ring: { free: string; busy: string; off: string };
  road: string;
  roadCasing: string;
  street: string;
  /** A large road from far away, where it has no outline. */
  highway: string;
  path: string;
  rail: string;
  ferry: string;
  builtUp: string;
  building: string;
  sand: string;
  park: string;
}

export type MapTheme = 'light' | 'dark';

export const palettes = {
  light: {
    sea: '#B9DDE9',
    land: '#F4F3EC',
    abroad: '#E6E5DD',
    border: '#8A7FA0',
    borderHalo: '#DFD9E8',
    region: '#D3CFDA',
    cityLabel: '#151C18',
    placeLabel: '#5A645D',
    waterLabel: '#2B7389',
    labelHalo: '#F4F3EC',
    disc: '#FFFFFF',
    number: '#0D1511',
    ring: { free: '#0B8A49', busy: '#F2A60C', off: '#A9B3AC' },
    road: '#FFFFFF',
    roadCasing: '#D8D4C7',
    street: '#F8F7F2',
    highway: '#D9CFB4',
    path: '#DCD7C9',
    rail: '#C9C3B6',
    ferry: '#7FB4C6',
    builtUp: '#ECEAE1',
    building: '#E2DFD4',
    sand: '#F1EAD6',
    park: '#DDEBD5',
  },
  dark: {
    sea: '#11323D',
    land: '#0F1613',
    abroad: '#0A0F0D',
    border: '#5B5470',
    borderHalo: '#1B1A24',
    region: '#24262D',
    cityLabel: '#E3ECE5',
    placeLabel: '#97A49C',
    waterLabel: '#5FA6BC',
    labelHalo: '#0F1613',
    disc: '#131A16',
    number: '#EEF4EF',
    ring: { free: '#2FCF7D', busy: '#F7B73C', off: '#5E6A62' },
    road: '#33413A',
    roadCasing: '#0F1613',
    street: '#1B2520',
    highway: '#2F3B34',
    path: '#232E28',
    rail: '#29332E',
    ferry: '#24505F',
    builtUp: '#141C18',
    building: '#1C2621',
    sand: '#1A1E17',
    park: '#11221A',
  },
} as const satisfies Record<MapTheme, Palette>;
