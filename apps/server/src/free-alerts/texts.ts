import { type ConnectorType, connectorTypes } from '@fpay/contract/connectors';
import { headStartMinutes } from '@fpay/contract/free-alerts';
import type { Language } from '@fpay/contract/person';

interface Offered {
  station: string;
  type: ConnectorType;
  connector: number;
}

const titles = {
  uk: 'Роз’єм вільний',
  en: 'A connector is available',
  pl: 'Złącze jest wolne',
} as const satisfies Record<Language, string>;

const bodies = {
  uk: ({ station, connector }, name) =>
    `Станція ${station}, ${name} № ${connector}. Наступні ${headStartMinutes} хвилин про це знаєте лише ви.`,
  en: ({ station, connector }, name) =>
    `Station ${station}, ${name} no. ${connector}. For ${headStartMinutes} minutes only you know.`,
  pl: ({ station, connector }, name) =>
    `Stacja ${station}, ${name} nr ${connector}. Przez ${headStartMinutes} minut wiesz o tym tylko Ty.`,
} as const satisfies Record<Language, (offered: Offered, name: string) => string>;

/** The notice to a driver whose turn it is. */
export function freeNotice(offered: Offered, language: Language): { title: string; body: string; chat: string } {
  const body = bodies[language](offered, connectorTypes[offered.type].name);
  return { title: titles[language], body, chat: `🔌 ${titles[language]}. ${body}` };
}
