import { type ConnectorType, connectorTypes } from '@fpay/contract/connectors';
import { headStartMinutes } from '@fpay/contract/free-alerts';
import type { Language } from '@fpay/contract/person';
import { inLanguage, type Translated } from '@fpay/contract/translated';

interface Offered {
  station: string;
  type: ConnectorType;
  connector: number;
}

const titles = {
  uk: 'Роз’єм вільний',
  en: 'A connector is available',
  pl: 'Złącze jest wolne',
} as const satisfies Translated<string>;

const bodies = {
  uk: ({ station, connector }, name) =>
    `Станція ${station}, ${name} № ${connector}. Наступні ${headStartMinutes} хвилин про це знаєте лише ви.`,
  en: ({ station, connector }, name) =>
    `Station ${station}, ${name} no. ${connector}. For ${headStartMinutes} minutes only you know.`,
  pl: ({ station, connector }, name) =>
    `Stacja ${station}, ${name} nr ${connector}. Przez ${headStartMinutes} minut wiesz o tym tylko Ty.`,
} as const satisfies Translated<(offered: Offered, name: string) => string>;

/** The notice to a driver whose turn it is. */
export function freeNotice(offered: Offered, language: Language): { title: string; body: string; chat: string } {
  const body = inLanguage(bodies, language)(offered, connectorTypes[offered.type].name);
  return { title: inLanguage(titles, language), body, chat: `🔌 ${inLanguage(titles, language)}. ${body}` };
}

const turnTitles = {
  uk: 'Ваша черга заряджати',
  en: 'It is your turn to charge',
  pl: 'Twoja kolej na ładowanie',
} as const satisfies Translated<string>;

const turnBodies = {
  uk: ({ station, connector }, name) =>
    `Станція ${station}, ${name} № ${connector}. Потужність збережено для вас на ${headStartMinutes} хвилин.`,
  en: ({ station, connector }, name) =>
    `Station ${station}, ${name} no. ${connector}. The power is kept for you for ${headStartMinutes} minutes.`,
  pl: ({ station, connector }, name) =>
    `Stacja ${station}, ${name} nr ${connector}. Moc czeka na Ciebie przez ${headStartMinutes} minut.`,
} as const satisfies Translated<(offered: Offered, name: string) => string>;

/** The notice to a driver for whom the site has power now. */
export function turnNotice(offered: Offered, language: Language): { title: string; body: string; chat: string } {
  const body = inLanguage(turnBodies, language)(offered, connectorTypes[offered.type].name);
  return { title: inLanguage(turnTitles, language), body, chat: `⚡ ${inLanguage(turnTitles, language)}. ${body}` };
}

const closedTitles = {
  uk: 'Черги більше немає',
  en: 'The queue is closed',
  pl: 'Kolejka jest zamknięta',
} as const satisfies Translated<string>;

const closedBodies = {
  uk: ({ station }) => `На станції ${station} чергу закрито, тож місця в ній за вами немає. Спробуйте почати зарядку.`,
  en: ({ station }) => `The queue at station ${station} is closed, so you have no place in it. Try to start a charge.`,
  pl: ({ station }) =>
    `Kolejka na stacji ${station} jest zamknięta i nie masz już w niej miejsca. Spróbuj zacząć ładowanie.`,
} as const satisfies Translated<(offered: Offered) => string>;

/** The notice to a driver whose place is gone because the site has no queue any more. */
export function queueClosedNotice(offered: Offered, language: Language): { title: string; body: string; chat: string } {
  const body = inLanguage(closedBodies, language)(offered);
  return { title: inLanguage(closedTitles, language), body, chat: `${inLanguage(closedTitles, language)}. ${body}` };
}
