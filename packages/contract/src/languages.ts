/** What a language is, for pages and server. */
interface LanguageRecord {
  /** Under its own name, and in the short form for the top bar. */
  name: string;
  short: string;
  /** Of dates. */
  locale: string;
  decimalMark: string;
  thousandMark: string;
  /** Between a number and its percent sign. */
  percentGap: string;
  /** A form for a phone number begins with it. */
  phonePrefix: string;
  /** The field of a station that has its address for a reader of this language. */
  address: 'address_uk' | 'address';
  /** For a visitor whose page could not load its texts. */
  offline: string;
  /** What search engines and messengers show of a link. Only the server reads it, so the build removes it from the pages. */
  preview: { locale: string; sentence: string };
  /** Null when every text exists in it. A language that is only begun names a complete one, whose texts are shown where its own are missing. */
  standIn: string | null;
}

/** Keeps thousands on one line. */

/**
 * Every language of the product, in the order in which people choose. Ukrainian comes first: it is the source of every
 * text and the language of a driver who chose none. The record is apart from its schema, so that a page can use it
 * without loading the library of schemas.
 */
export const languageRecords = {
  uk: {
    name: 'Українська',
    short: 'UA',
    locale: 'uk-UA',
    decimalMark: ',',
    thousandMark: '\u00a0',
    percentGap: '\u00a0',
    phonePrefix: '+380',
    address: 'address_uk',
    offline: 'Немає зв’язку. Спробуйте ще раз.',
    preview: {
      locale: 'uk_UA',
      sentence: 'Зарядіть електромобіль: відскануйте код на станції, оплатіть карткою та стежте за зарядкою.',
    },
    standIn: null,
  },
  en: {
    name: 'English',
    short: 'EN',
    locale: 'en-GB',
    decimalMark: '.',
    thousandMark: ',',
    percentGap: '',
    phonePrefix: '+380',
    address: 'address',
    offline: 'No connection. Try again.',
    preview: {
      locale: 'en_US',
      sentence: 'Charge an electric car: scan the code at the station, pay by card and follow your session.',
    },
    standIn: null,
  },
  pl: {
    name: 'Polski',
    short: 'PL',
    locale: 'pl-PL',
    decimalMark: ',',
    thousandMark: '\u00a0',
    percentGap: '',
    phonePrefix: '+48',
    address: 'address',
    offline: 'Brak połączenia. Spróbuj ponownie.',
    preview: {
      locale: 'pl_PL',
      sentence: 'Naładuj auto elektryczne: zeskanuj kod na stacji, zapłać kartą i śledź ładowanie.',
    },
    standIn: null,
  },
} as const satisfies Record<string, LanguageRecord>;

/** `Language` of person.ts is the same. */
type Code = keyof typeof languageRecords;
export const languages = Object.keys(languageRecords) as [Code, ...Code[]];

/** The address of a station for a reader of this language. */
export function addressFor<Text>(place: { address: Text; address_uk: Text }, language: Code): Text {
  return place[languageRecords[language].address];
}

/** The language of a first visit: that of the browser or of Telegram if it is ours, else Ukrainian. */
export function languageOfTag(tag: string): Code {
  const [code] = tag.toLowerCase().split(/[-_,;]/, 1);
  return languages.find((language) => language === code) ?? 'uk';
}
