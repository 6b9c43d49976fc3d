import type { DemoScenario, deviceKinds } from './devices.ts';

/** A station that demonstrates a feature. `kind` is one of `deviceKinds`. */
export interface Special {
  place: { address: string; addressUk: string; lat: number; lon: number };
  kind: keyof typeof deviceKinds;
  tariff?: string;
  scenario?: DemoScenario;
  /** Belongs to the demo's closed party. */
  isClosed?: boolean;
}

function dnipro(en: string, uk: string, house: string, lat: number, lon: number): Special['place'] {
  return { address: `${en}, ${house}, Dnipro`, addressUk: `${uk}, ${house}, Дніпро`, lat, lon };
}

const embankment = dnipro('Sicheslavska Naberezhna St', 'вул. Січеславська Набережна', '33', 48.4621, 35.0589);
/** A company's yard: only its closed party charges here. */
const yard = dnipro('Kosmichna St', 'вул. Космічна', '20', 48.4281, 35.0497);
const highway = (house: string, lat: number) => dnipro('Zaporizke Hwy', 'Запорізьке шосе', house, lat, 35.0161);
const avenue = (house: string, lat: number) => dnipro('Slobozhanskyi Ave', 'Слобожанський просп.', house, lat, 35.0731);

export const specials: Record<string, Special> = {
  /** On the roof of a car park with solar panels, which determine power and price. */
  F1019: { place: highway('55', 48.4102), kind: 'usual', tariff: 'sun' },
  F1040: {
    place: dnipro('Troitska St', 'вул. Троїцька', '21', 48.4612, 35.0349),
    kind: 'twoSockets',
    tariff: 'free',
    scenario: 'no-soc',
  },
  F1050: { place: dnipro('Robocha St', 'вул. Робоча', '89', 48.4551, 35.0031), kind: 'usual', scenario: 'offline' },
  F1060: { place: dnipro('Pastera St', 'вул. Пастера', '12', 48.4695, 35.0281), kind: 'fast', scenario: 'faulted' },
  F1071: { place: avenue('8', 48.4968), kind: 'usual', scenario: 'slow' },
  F1072: { place: avenue('40', 48.4995), kind: 'usual', scenario: 'rejects-start' },
  F1073: { place: avenue('77', 48.5021), kind: 'usual', scenario: 'never-starts' },
  F1074: { place: avenue('102', 48.5043), kind: 'fast', scenario: 'drops-socket' },
  F1075: { place: avenue('115', 48.5062), kind: 'usual', scenario: 'reboots' },
  F1076: { place: highway('22', 48.4135), kind: 'usual', scenario: 'repeats' },
  F1077: { place: highway('37', 48.4118), kind: 'chinese', scenario: 'odd-units' },
  F1078: { place: highway('60', 48.4061), kind: 'usual', scenario: 'meter-reset' },
  F1079: { place: highway('68', 48.4043), kind: 'usual', scenario: 'clock-wrong' },
  F1080: { place: highway('74', 48.4026), kind: 'usual', scenario: 'unplugs-early' },
  F1301: { place: yard, kind: 'fast', isClosed: true },
  F1302: { place: yard, kind: 'twoSockets', isClosed: true, scenario: 'no-soc' },
  F1303: { place: dnipro('Kosmichna St', 'вул. Космічна', '12', 48.4262, 35.0468), kind: 'usual', isClosed: true },
  /** A shopping centre's car park: parking is free while one charges. */
  F1400: { place: embankment, kind: 'fast' },
  F1401: { place: embankment, kind: 'usual' },
  F1402: { place: embankment, kind: 'chinese' },
  F1403: {
    place: dnipro('Oleksandra Polia Ave', 'просп. Олександра Поля', '104', 48.4459, 35.0172),
    kind: 'usual',
    tariff: 'autumn',
  },
  /** A busy street: a car that stays after the end pays for the minutes. */
  F1490: {
    place: dnipro('Korolenka St', 'вул. Короленка', '21', 48.4668, 35.0476),
    kind: 'usual',
    tariff: 'parking',
  },
};

/** The whole car park as one virtual station, with every connector under one number. */
export const mall = {
  number: 'F1500',
  place: embankment,
  lists: ['F1400', 'F1401', 'F1402'],
  link: 'mall15',
} as const;

const season = { fromDay: '10-27', toDay: '11-02' };

export interface DemoPromotion {
  code: string;
  kind: 'banner' | 'marker' | 'reward';
  station: string | null;
  fromDay?: string;
  toDay?: string;
  terms?: { min_energy_wh: number; amount: number };
}

export const demoPromotions: DemoPromotion[] = [
  { code: 'free_parking', kind: 'banner', station: 'F1400' },
  { code: 'free_parking', kind: 'reward', station: 'F1400', terms: { min_energy_wh: 40_000, amount: 40_00 } },
  { code: 'solar', kind: 'banner', station: 'F1019' },
  { code: 'sun', kind: 'marker', station: 'F1019' },
  { code: 'discount', kind: 'marker', station: 'F1403', fromDay: '10-23', toDay: '11-15' },
  { code: 'event', kind: 'marker', station: null, ...season },
  { code: 'season', kind: 'banner', station: null, ...season },
];
