import type { OpenStatus } from '@fpay/contract/charging';
import type { Translated } from '@fpay/contract/translated';

interface Talk {
  hello(name: string): string;
  stranger(registerUrl: string): string;
  askLink(name: string, phone: string): string;
  yes: string;
  no: string;
  linked: string;
  notLinked: string;
  linkExpired: string;
  telegramTaken: string;
  linkFirst: string;
  noCharges: string;
  charge(data: { station: string; operation: number; kwh: string; uah: string; status: string }): string;
  stop(operation: number): string;
  stopping: string;
  cannotStop: string;
  balance(uah: string): string;
  unlinked: string;
  code(code: string): string;
  statuses: Record<OpenStatus, string>;
  commands: Record<'status' | 'balance' | 'unlink', string>;
}

/** All texts of the bot. */
export const talk: Translated<Talk> = {
  uk: {
    hello: (name) => `Вітаємо! Акаунт: ${name}. Команди: /status, /balance, /unlink.`,
    stranger: (url) =>
      `Вітаємо! Щоб під’єднати цей чат, відкрийте посилання на бота зі свого акаунта. Ще немає акаунта? ${url}`,
    askLink: (name, phone) => `Під’єднати цей Telegram до вашого акаунта? ${name}, ${phone}`,
    yes: 'Так',
    no: 'Ні',
    linked: 'Готово: Telegram під’єднано. Ми писатимемо про ваші зарядки.',
    notLinked: 'Добре, нічого не під’єднано.',
    linkExpired: 'Посилання вже не діє. Відкрийте нове у своєму акаунті.',
    telegramTaken: 'Цей Telegram або акаунт уже під’єднано. Спершу надішліть /unlink.',
    linkFirst: 'Цей чат ще не під’єднано. Відкрийте посилання на бота зі свого акаунта.',
    noCharges: 'Немає активних сесій.',
    charge: ({ station, operation, kwh, uah, status }) =>
      `Станція ${station}, операція ${operation}: ${status}, ${kwh} кВт·год, ${uah} ₴`,
    stop: (operation) => `Зупинити № ${operation}`,
    stopping: 'Зупиняємо',
    cannotStop: 'Цю сесію не можна зупинити',
    balance: (uah) => `Баланс: ${uah} ₴`,
    unlinked: 'Telegram від’єднано.',
    code: (code) => `Код для входу: ${code}. Нікому його не кажіть.`,
    statuses: {
      created: 'чекає на оплату',
      pending: 'скоро почнеться',
      starting: 'починається',
      ongoing: 'заряджає',
      finishing: 'завершується',
    },
    commands: { status: 'Активні сесії', balance: 'Баланс', unlink: 'Від’єднати цей чат' },
  },
  en: {
    hello: (name) => `Hello, ${name}! Commands: /status, /balance, /unlink.`,
    stranger: (url) => `Hello! To link this chat, open the bot's link in your account. No account yet? ${url}`,
    askLink: (name, phone) => `Link this Telegram to the account of ${name} (${phone})?`,
    yes: 'Yes',
    no: 'No',
    linked: 'Done: Telegram is linked. We will message you about your sessions.',
    notLinked: 'All right, nothing was linked.',
    linkExpired: 'This link is not valid. Open a new one in your account.',
    telegramTaken: 'This Telegram or this account is already linked. Send /unlink first.',
    linkFirst: "This chat is not linked yet. Open the bot's link in your account.",
    noCharges: 'No active sessions.',
    charge: ({ station, operation, kwh, uah, status }) =>
      `Station ${station}, operation ${operation}: ${status}, ${kwh} kWh, ${uah} ₴`,
    stop: (operation) => `Stop No. ${operation}`,
    stopping: 'Stopping',
    cannotStop: 'This session cannot be stopped',
    balance: (uah) => `Balance: ${uah} ₴`,
    unlinked: 'Telegram is unlinked.',
    code: (code) => `Sign-in code: ${code}. Do not share it with anyone.`,
    statuses: {
      created: 'waiting for payment',
      pending: 'starts soon',
      starting: 'starting',
      ongoing: 'charging',
      finishing: 'finishing',
    },
    commands: { status: 'Active sessions', balance: 'Balance', unlink: 'Unlink this chat' },
  },
  pl: {
    hello: (name) => `Witaj! Konto: ${name}. Polecenia: /status, /balance, /unlink.`,
    stranger: (url) => `Witaj! Aby połączyć ten czat, otwórz link do bota na swoim koncie. Nie masz konta? ${url}`,
    askLink: (name, phone) => `Połączyć ten Telegram z Twoim kontem? ${name}, ${phone}`,
    yes: 'Tak',
    no: 'Nie',
    linked: 'Gotowe: Telegram połączony. Będziemy pisać o Twoich ładowaniach.',
    notLinked: 'Dobrze, nic nie połączono.',
    linkExpired: 'Ten link jest nieważny. Otwórz nowy na swoim koncie.',
    telegramTaken: 'Ten Telegram lub konto jest już połączone. Najpierw wyślij /unlink.',
    linkFirst: 'Ten czat nie jest jeszcze połączony. Otwórz link do bota na swoim koncie.',
    noCharges: 'Brak aktywnych sesji.',
    charge: ({ station, operation, kwh, uah, status }) =>
      `Stacja ${station}, operacja ${operation}: ${status}, ${kwh} kWh, ${uah} ₴`,
    stop: (operation) => `Zatrzymaj nr ${operation}`,
    stopping: 'Zatrzymujemy',
    cannotStop: 'Tej sesji nie można zatrzymać',
    balance: (uah) => `Saldo: ${uah} ₴`,
    unlinked: 'Telegram odłączony.',
    code: (code) => `Kod logowania: ${code}. Nikomu go nie podawaj.`,
    statuses: {
      created: 'czeka na płatność',
      pending: 'wkrótce się zacznie',
      starting: 'rozpoczyna się',
      ongoing: 'ładuje',
      finishing: 'kończy się',
    },
    commands: { status: 'Aktywne sesje', balance: 'Saldo', unlink: 'Odłącz ten czat' },
  },
};
