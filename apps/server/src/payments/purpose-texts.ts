import type { Language } from '@fpay/contract/person';
import { inLanguage, type Translated } from '@fpay/contract/translated';

/** The payer reads these on the bank's page and on the card statement. */
const charge: Translated<(station: string, connector: string) => string> = {
  uk: (station, connector) => `Зарядка, станція ${station}, ${connector}`,
  en: (station, connector) => `Charging, station ${station}, ${connector}`,
  pl: (station, connector) => `Ładowanie, stacja ${station}, ${connector}`,
};

const topUp: Translated<string> = { uk: 'Поповнення балансу', en: 'Balance top-up', pl: 'Doładowanie salda' };

export const chargePurpose = (language: Language, station: string, connector: string): string =>
  inLanguage(charge, language)(station, connector);
export const topUpPurpose = (language: Language): string => inLanguage(topUp, language);
