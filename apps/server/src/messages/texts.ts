import { languageRecords } from '@fpay/contract/languages';
import type { Language } from '@fpay/contract/person';
import { inLanguage, type Translated } from '@fpay/contract/translated';

/**
 * Texts of outgoing messages in the reader's language. They are short, because one SMS in Cyrillic has 70 characters.
 */
type Words<Data> = Translated<(data: Data) => string>;

export const sms = {
  code: {
    uk: ({ brand, code }) => `${brand}: код ${code}. Нікому його не кажіть.`,
    en: ({ brand, code }) => `${brand}: code ${code}. Do not share it with anyone.`,
    pl: ({ brand, code }) => `${brand}: kod ${code}. Nikomu go nie podawaj.`,
  } satisfies Words<{ brand: string; code: string }>,
  phone_changed: {
    uk: ({ brand, phone }) => `${brand}: номер акаунта змінено на ${phone}. Це не ви? Напишіть нам.`,
    en: ({ brand, phone }) => `${brand}: your account now has the number ${phone}. Not you? Contact us.`,
    pl: ({ brand, phone }) => `${brand}: numer konta zmieniono na ${phone}. To nie Ty? Napisz do nas.`,
  } satisfies Words<{ brand: string; phone: string }>,
  password_changed: {
    uk: ({ brand }) => `${brand}: пароль змінено. Це не ви? Відновіть його зараз.`,
    en: ({ brand }) => `${brand}: your password was changed. Not you? Reset it now.`,
    pl: ({ brand }) => `${brand}: haslo zmieniono. To nie Ty? Ustaw nowe teraz.`,
  } satisfies Words<{ brand: string }>,
  password_reset: {
    uk: ({ brand }) => `${brand}: власник групи скинув ваш пароль. Новий пароль у нього.`,
    en: ({ brand }) => `${brand}: the owner of your party has reset your password and has the new one.`,
    pl: ({ brand }) => `${brand}: wlasciciel grupy zresetowal Twoje haslo i ma nowe.`,
  } satisfies Words<{ brand: string }>,
  allowance_stopped: {
    uk: ({ brand }) => `${brand}: щомісячне поповнення зупинено, замало коштів на балансі.`,
    en: ({ brand }) => `${brand}: a monthly allowance has stopped, your balance is too small.`,
    pl: ({ brand }) => `${brand}: miesieczne doladowanie zatrzymane, za malo srodkow na saldzie.`,
  } satisfies Words<{ brand: string }>,
  party_left: {
    uk: ({ brand, party, returned, kept }) =>
      `${brand}: група ${party}. Ваші гроші: ${kept} грн, гроші групи ${returned} грн повернуто власнику.`,
    en: ({ brand, party, returned, kept }) =>
      `${brand}: party ${party}. Your money: ${kept} UAH; the party's ${returned} UAH went back to its owner.`,
    pl: ({ brand, party, returned, kept }) =>
      `${brand}: grupa ${party}. Twoje srodki: ${kept} UAH, srodki grupy ${returned} UAH wrocily do wlasciciela.`,
  } satisfies Words<{ brand: string; party: string; returned: string; kept: string }>,
  party_invitation: {
    uk: ({ brand, party, link }) => `${brand}: запрошення до групи ${party}. Відповісти: ${link}`,
    en: ({ brand, party, link }) => `${brand}: you are invited to the party ${party}. Answer: ${link}`,
    pl: ({ brand, party, link }) => `${brand}: zaproszenie do grupy ${party}. Odpowiedz: ${link}`,
  } satisfies Words<{ brand: string; party: string; link: string }>,
  account_deleted: {
    uk: ({ brand }) => `${brand}: ваш акаунт видалено.`,
    en: ({ brand }) => `${brand}: your account was deleted.`,
    pl: ({ brand }) => `${brand}: Twoje konto zostalo usuniete.`,
  } satisfies Words<{ brand: string }>,
} as const;

/** Data of a notification about a charge. */
export interface ChargeSummary {
  operation: number;
  station: string;
  kwh: string;
  uah: string;
  /** Of the idle fee, per minute. */
  feeUah: string;
  graceMinutes: number;
  /** What is left, in the reader's language: `, ще ≈ 4 хв`. Empty when it is not known. */
  left: string;
  /** What staff returned, where to and why, in the reader's language. Empty for other notices. */
  back: string;
}

const minutesLeft: Translated<(minutes: number) => string> = {
  uk: (minutes) => `, ще ≈ ${minutes}\u00a0хв`,
  en: (minutes) => `, ≈ ${minutes}\u00a0min left`,
  pl: (minutes) => `, jeszcze ≈ ${minutes}\u00a0min`,
};
const carIsAt: Translated<(percent: number) => string> = {
  uk: (percent) => `, авто заряджене на ${percent}\u00a0%`,
  en: (percent) => `, the car is at ${percent}%`,
  pl: (percent) => `, auto naładowane w ${percent}\u00a0%`,
};

interface Remaining {
  energyWh: number;
  limitWh: number | null;
  powerW: number | null;
  soc: number | null;
}

/** A car that is nearly full takes less and less power, so its charge says more than the time at the present power. */
export function leftText({ energyWh, limitWh, powerW, soc }: Remaining, language: Language): string {
  if (soc !== null && soc >= nearlyFullPercent) return inLanguage(carIsAt, language)(soc);
  if (limitWh === null || powerW === null || powerW <= 0) return '';
  const minutes = Math.max(1, Math.round(((limitWh - energyWh) * 60) / powerW));
  return inLanguage(minutesLeft, language)(minutes);
}

/** Money that staff have returned. */
export interface ReturnedMoney {
  amount: number;
  to: 'card' | 'balance';
  /** As staff said it. */
  reason: string | null;
}

const wentBack: Translated<Record<ReturnedMoney['to'], (uah: string) => string>> = {
  uk: {
    card: (uah) => `${uah}\u00a0₴ повернуто на картку, банк зарахує їх протягом кількох днів.`,
    balance: (uah) => `${uah}\u00a0₴ повернуто на баланс.`,
  },
  en: {
    card: (uah) => `${uah}\u00a0₴ went back to your card; the bank will credit it within a few days.`,
    balance: (uah) => `${uah}\u00a0₴ went back to your balance.`,
  },
  pl: {
    card: (uah) => `Zwróciliśmy ${uah}\u00a0₴ na kartę; bank zaksięguje je w ciągu kilku dni.`,
    balance: (uah) => `Zwróciliśmy ${uah}\u00a0₴ na saldo.`,
  },
};
const becauseOf: Translated<(reason: string) => string> = {
  uk: (reason) => ` Причина: ${reason}.`,
  en: (reason) => ` Reason: ${reason}.`,
  pl: (reason) => ` Powód: ${reason}.`,
};

export function returnedText({ amount, to, reason }: ReturnedMoney, language: Language): string {
  const because = reason === null ? '' : inLanguage(becauseOf, language)(reason.replace(/\.$/, ''));
  return `${inLanguage(wentBack, language)[to](uahText(amount, language))}${because}`;
}

/** From this charge of the car on, charging is nearly done. */
export const nearlyFullPercent = 95;

export const noticeKinds = [
  'started',
  'nearly_done',
  'ended',
  'failed',
  'idle',
  'idle_grace',
  'idle_fee',
  'station_lost',
  'stop_ignored',
  'site_full',
  'site_limit',
  'refunded',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export const notices = {
  started: {
    uk: ({ operation, station }) => `⚡ Зарядка почалася: станція ${station}, операція ${operation}.`,
    en: ({ operation, station }) => `⚡ Charging has started: station ${station}, operation ${operation}.`,
    pl: ({ operation, station }) => `⚡ Ładowanie rozpoczęte: stacja ${station}, operacja ${operation}.`,
  },
  nearly_done: {
    uk: ({ station, kwh, left }) => `🔋 Зарядка майже завершена: станція ${station}, уже ${kwh} кВт·год${left}.`,
    en: ({ station, kwh, left }) => `🔋 Charging is nearly done: station ${station}, ${kwh} kWh so far${left}.`,
    pl: ({ station, kwh, left }) => `🔋 Ładowanie prawie gotowe: stacja ${station}, już ${kwh} kWh${left}.`,
  },
  ended: {
    uk: ({ station, kwh, uah }) => `✅ Зарядку завершено: станція ${station}, ${kwh} кВт·год, ${uah} ₴.`,
    en: ({ station, kwh, uah }) => `✅ Charging has ended: station ${station}, ${kwh} kWh, ${uah} ₴.`,
    pl: ({ station, kwh, uah }) => `✅ Ładowanie zakończone: stacja ${station}, ${kwh} kWh, ${uah} ₴.`,
  },
  failed: {
    uk: ({ operation, station }) =>
      `⚠️ Зарядка не почалася: станція ${station}, № ${operation}. Якщо гроші було заблоковано, вони повертаються.`,
    en: ({ operation, station }) =>
      `⚠️ Charging did not start: station ${station}, No. ${operation}. If money was held, it is on its way back.`,
    pl: ({ operation, station }) =>
      `⚠️ Ładowanie się nie zaczęło: stacja ${station}, nr ${operation}. Jeśli środki zablokowano, wracają do Ciebie.`,
  },
  idle: {
    uk: ({ station }) => `🅿️ Авто вже не заряджається: станція ${station}. Звільніть, будь ласка, роз’єм.`,
    en: ({ station }) => `🅿️ The car is no longer charging: station ${station}. Please free up the connector.`,
    pl: ({ station }) => `🅿️ Auto już się nie ładuje: stacja ${station}. Zwolnij, proszę, złącze.`,
  },
  idle_grace: {
    uk: ({ station, feeUah, graceMinutes }) =>
      `🅿️ Авто вже не заряджається: станція ${station}. Від’єднайте кабель протягом ${graceMinutes} хв, далі простій коштує ${feeUah} ₴ за хвилину.`,
    en: ({ station, feeUah, graceMinutes }) =>
      `🅿️ The car is no longer charging: station ${station}. Unplug within ${graceMinutes} min; after that idle time costs ${feeUah} ₴ per minute.`,
    pl: ({ station, feeUah, graceMinutes }) =>
      `🅿️ Auto już się nie ładuje: stacja ${station}. Odłącz kabel w ciągu ${graceMinutes} min, potem postój kosztuje ${feeUah} ₴ za minutę.`,
  },
  idle_fee: {
    uk: ({ station, feeUah }) =>
      `⏱ Почався платний простій: станція ${station}, ${feeUah} ₴ за хвилину, але не більше депозиту. Від’єднайте, будь ласка, кабель.`,
    en: ({ station, feeUah }) =>
      `⏱ The idle fee has begun: station ${station}, ${feeUah} ₴ per minute, never above the deposit. Please unplug the cable.`,
    pl: ({ station, feeUah }) =>
      `⏱ Zaczął się płatny postój: stacja ${station}, ${feeUah} ₴ za minutę, nie więcej niż depozyt. Odłącz, proszę, kabel.`,
  },
  station_lost: {
    uk: ({ station }) => `📡 Станція ${station} зникла зі зв’язку під час зарядки. Ми стежимо за нею.`,
    en: ({ station }) => `📡 Station ${station} went offline while charging. We are watching your session.`,
    pl: ({ station }) => `📡 Stacja ${station} straciła łączność podczas ładowania. Czuwamy.`,
  },
  stop_ignored: {
    uk: ({ station }) =>
      `✋ Станція ${station} не зупиняє зарядку. Натисніть кнопку «Стоп» на станції або зателефонуйте нам. За енергію, що йде далі, ви не платите.`,
    en: ({ station }) =>
      `✋ Station ${station} does not stop charging. Press the stop button at the station or call us. You do not pay for the energy from here on.`,
    pl: ({ station }) =>
      `✋ Stacja ${station} nie kończy ładowania. Naciśnij przycisk „Stop” na stacji albo zadzwoń do nas. Za dalszą energię nie płacisz.`,
  },
  site_full: {
    uk: ({ station }) =>
      `🚧 На майданчику станції ${station} зараз замало потужності, тому зарядка не почалася. Гроші повертаються повністю.`,
    en: ({ station }) =>
      `🚧 The site of station ${station} has no power left right now, so charging did not start. All of your money is being returned.`,
    pl: ({ station }) =>
      `🚧 Na placu stacji ${station} brakuje teraz mocy, dlatego ładowanie się nie zaczęło. Wszystkie pieniądze wracają.`,
  },
  site_limit: {
    uk: ({ station, kwh }) =>
      `🚧 Ми зупинили зарядку на станції ${station}: майданчику забракло потужності. Ви отримали ${kwh} кВт·год і платите лише за них.`,
    en: ({ station, kwh }) =>
      `🚧 We stopped charging at station ${station}: its site ran out of power. You got ${kwh} kWh and pay only for that.`,
    pl: ({ station, kwh }) =>
      `🚧 Zatrzymaliśmy ładowanie na stacji ${station}: na placu zabrakło mocy. Masz ${kwh} kWh i płacisz tylko za nie.`,
  },
  refunded: {
    uk: ({ operation, back }) => `↩️ Зарядка № ${operation}: ${back}`,
    en: ({ operation, back }) => `↩️ Charge No. ${operation}: ${back}`,
    pl: ({ operation, back }) => `↩️ Ładowanie nr ${operation}: ${back}`,
  },
} as const satisfies Record<NoticeKind, Words<ChargeSummary>>;

const hundredths = (count: number, language: Language) =>
  (count / 100).toFixed(2).replace('.', languageRecords[language].decimalMark);

/** 12340 Wh → "12,34". */
export function kwhText(wh: number, language: Language): string {
  // Rounded as our pages round: 18,425 Wh are 18.43 kWh, although half of a binary fraction is slightly less.
  return hundredths(Math.round(wh / 10), language);
}

/** 18750 kopecks → "187,50". */
export function uahText(kopecks: number, language: Language): string {
  return hundredths(kopecks, language);
}
