import type { Translated } from '@fpay/contract/translated';
import type { ChargeSummary, NoticeKind } from './texts.ts';

interface Notification {
  title: string;
  body: string;
}

/** Texts of push messages and of SMS about a charge. Each stands alone, because a device may show only the last one. */
export const notifications = {
  started: {
    uk: ({ station }) => ({ title: 'Зарядка почалася', body: `Станція ${station}. Авто заряджається.` }),
    en: ({ station }) => ({ title: 'Charging has started', body: `Station ${station}. Your car is charging.` }),
    pl: ({ station }) => ({ title: 'Ładowanie rozpoczęte', body: `Stacja ${station}. Auto się ładuje.` }),
  },
  nearly_done: {
    uk: ({ station, kwh, left }) => ({
      title: 'Зарядка майже завершена',
      body: `Станція ${station}: уже ${kwh} кВт·год${left}. Час повертатися до авто.`,
    }),
    en: ({ station, kwh, left }) => ({
      title: 'Charging is nearly done',
      body: `Station ${station}: ${kwh} kWh so far${left}. Time to return to your car.`,
    }),
    pl: ({ station, kwh, left }) => ({
      title: 'Ładowanie prawie gotowe',
      body: `Stacja ${station}: już ${kwh} kWh${left}. Czas wracać do auta.`,
    }),
  },
  ended: {
    uk: ({ station, kwh, uah }) => ({
      title: 'Зарядку завершено',
      body: `Станція ${station}: ${kwh} кВт·год, ${uah} ₴. Звільніть, будь ласка, роз’єм.`,
    }),
    en: ({ station, kwh, uah }) => ({
      title: 'Charging has ended',
      body: `Station ${station}: ${kwh} kWh, ${uah} ₴. Please free up the connector.`,
    }),
    pl: ({ station, kwh, uah }) => ({
      title: 'Ładowanie zakończone',
      body: `Stacja ${station}: ${kwh} kWh, ${uah} ₴. Zwolnij, proszę, złącze.`,
    }),
  },
  failed: {
    uk: ({ station }) => ({
      title: 'Зарядка не почалася',
      body: `Станція ${station}. Якщо гроші було заблоковано, вони повертаються.`,
    }),
    en: ({ station }) => ({
      title: 'Charging did not start',
      body: `Station ${station}. If money was held, it is on its way back.`,
    }),
    pl: ({ station }) => ({
      title: 'Ładowanie się nie zaczęło',
      body: `Stacja ${station}. Jeśli środki zablokowano, wracają do Ciebie.`,
    }),
  },
  idle: {
    uk: ({ station }) => ({
      title: 'Авто вже не заряджається',
      body: `Станція ${station}. Звільніть, будь ласка, роз’єм.`,
    }),
    en: ({ station }) => ({
      title: 'The car is no longer charging',
      body: `Station ${station}. Please free up the connector.`,
    }),
    pl: ({ station }) => ({
      title: 'Auto już się nie ładuje',
      body: `Stacja ${station}. Zwolnij, proszę, złącze.`,
    }),
  },
  idle_grace: {
    uk: ({ station, feeUah, graceMinutes }) => ({
      title: 'Від’єднайте кабель',
      body: `Станція ${station}: ще ${graceMinutes} хв безкоштовно, далі ${feeUah} ₴/хв.`,
    }),
    en: ({ station, feeUah, graceMinutes }) => ({
      title: 'Please unplug',
      body: `Station ${station}: ${graceMinutes} min are free, then ${feeUah} ₴/min.`,
    }),
    pl: ({ station, feeUah, graceMinutes }) => ({
      title: 'Odłącz kabel',
      body: `Stacja ${station}: ${graceMinutes} min bez opłat, potem ${feeUah} ₴/min.`,
    }),
  },
  idle_fee: {
    uk: ({ station, feeUah }) => ({
      title: 'Почався платний простій',
      body: `Станція ${station}: ${feeUah} ₴/хв. Від’єднайте кабель.`,
    }),
    en: ({ station, feeUah }) => ({
      title: 'The idle fee has begun',
      body: `Station ${station}: ${feeUah} ₴/min. Please unplug.`,
    }),
    pl: ({ station, feeUah }) => ({
      title: 'Zaczął się płatny postój',
      body: `Stacja ${station}: ${feeUah} ₴/min. Odłącz kabel.`,
    }),
  },
  station_lost: {
    uk: ({ station }) => ({
      title: 'Станція зникла зі зв’язку',
      body: `Станція ${station} не відповідає. Зарядка може тривати й далі.`,
    }),
    en: ({ station }) => ({
      title: 'The station went offline',
      body: `Station ${station} is not responding. Charging may still be going on.`,
    }),
    pl: ({ station }) => ({
      title: 'Stacja straciła łączność',
      body: `Stacja ${station} nie odpowiada. Ładowanie może nadal trwać.`,
    }),
  },
  stop_ignored: {
    uk: ({ station }) => ({
      title: 'Станція не зупиняє зарядку',
      body: `Натисніть «Стоп» на станції ${station} або зателефонуйте нам. За подальшу енергію ви не платите.`,
    }),
    en: ({ station }) => ({
      title: 'The station is not stopping',
      body: `Press stop at station ${station} or call us. You do not pay for the energy from here on.`,
    }),
    pl: ({ station }) => ({
      title: 'Stacja nie kończy ładowania',
      body: `Naciśnij „Stop” na stacji ${station} albo zadzwoń do nas. Za dalszą energię nie płacisz.`,
    }),
  },
  site_full: {
    uk: ({ station }) => ({
      title: 'Зарядка не почалася',
      body: `Станція ${station}: майданчику зараз замало потужності. Гроші повертаються повністю.`,
    }),
    en: ({ station }) => ({
      title: 'Charging did not start',
      body: `Station ${station}: its site has no power left right now. All of your money is being returned.`,
    }),
    pl: ({ station }) => ({
      title: 'Ładowanie się nie zaczęło',
      body: `Stacja ${station}: na placu brakuje teraz mocy. Wszystkie pieniądze wracają.`,
    }),
  },
  site_limit: {
    uk: ({ station, kwh }) => ({
      title: 'Зарядку зупинено',
      body: `Станція ${station}: майданчику забракло потужності. ${kwh} кВт·год отримано, платите лише за них.`,
    }),
    en: ({ station, kwh }) => ({
      title: 'Charging was stopped',
      body: `Station ${station}: its site ran out of power. You got ${kwh} kWh and pay only for that.`,
    }),
    pl: ({ station, kwh }) => ({
      title: 'Ładowanie zatrzymane',
      body: `Stacja ${station}: na placu zabrakło mocy. Masz ${kwh} kWh i płacisz tylko za nie.`,
    }),
  },
  refunded: {
    uk: ({ operation, back }) => ({ title: `Зарядка № ${operation}`, body: back }),
    en: ({ operation, back }) => ({ title: `Charge No. ${operation}`, body: back }),
    pl: ({ operation, back }) => ({ title: `Ładowanie nr ${operation}`, body: back }),
  },
} as const satisfies Record<NoticeKind, Translated<(charge: ChargeSummary) => Notification>>;

/** Kinds that are sent by SMS where nothing else reaches the driver. The others are not worth the cost. */
export const kindsForSms: readonly NoticeKind[] = [
  'ended',
  'failed',
  'idle',
  'idle_grace',
  'idle_fee',
  'stop_ignored',
  'site_full',
  'site_limit',
  'refunded',
];
