import type { Clock } from '../clock.ts';
import type { Database } from '../database.ts';
import { demo } from '../demo.ts';
import { BotError, badRequest } from './bot-error.ts';
import { commandsIn, parseHtml } from './rich-text.ts';
import type { Person, TelegramStore } from './store.ts';
import type { Chat, Entity, Markup, Message, TelegramUser } from './types.ts';
import type { Updates } from './updates.ts';
import { allowedUpdates, type MethodName, readSent, type Sent } from './wire.ts';

const longestText = 4096;
const mostCallbackBytes = 64;
/** A pressed button can be answered only for this time. */
const pressLifeMs = 15 * 60_000;

export const bot: TelegramUser & Record<string, unknown> = {
  id: Number(demo.botToken.split(':')[0]),
  is_bot: true,
  first_name: demo.botName,
  username: demo.botUsername,
  can_join_groups: false,
  can_read_all_group_messages: false,
  supports_inline_queries: false,
  can_connect_to_business: false,
  has_main_web_app: false,
};
/** As the sender of a message, the bot is an ordinary user. */
const botSender: TelegramUser = { id: bot.id, is_bot: true, first_name: bot.first_name, username: demo.botUsername };

interface Parts {
  db: Database;
  clock: Clock;
  store: TelegramStore;
  updates: () => Updates;
}

/** Notifies long polls that the client has disconnected. */
export interface Caller {
  onGone(give: () => void): void;
}

type Methods = { [Name in MethodName]: (sent: Sent<Name>, caller: Caller) => unknown };

/** The Bot API's methods, by name. */
export function createMethods({ db, clock, store, updates }: Parts) {
  const seconds = () => Math.floor(clock.now() / 1000);

  /** Returns the person if the bot may write to them. */
  function reachablePerson(chatId: number): Person {
    const person = store.person(chatId);
    if (!person) throw badRequest('chat not found');
    if (person.hasBlocked) throw new BotError(403, 'Forbidden: bot was blocked by the user');
    if (!person.hasStarted) throw new BotError(403, "Forbidden: bot can't initiate conversation with a user");
    return person;
  }

  function ownMessage(chatId: number, messageId: number, what: string): Message {
    reachablePerson(chatId);
    const message = store.message(chatId, messageId);
    if (!message) throw badRequest(`message to ${what} not found`);
    if (!message.from.is_bot) throw badRequest(`message can't be ${what === 'edit' ? 'edited' : 'deleted'}`);
    return message;
  }

  function edited(message: Message, change: Partial<Message>): Message {
    const { reply_markup: _old, entities: _entities, ...rest } = message;
    const next: Message = { ...rest, ...(!('text' in change) && { entities: message.entities }), ...change };
    const shown = ({ text, reply_markup, entities }: Message) => JSON.stringify([text, reply_markup, entities]);
    if (shown(next) === shown(message)) {
      throw badRequest(
        'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
      );
    }
    const saved = { ...next, edit_date: seconds() };
    store.saveMessage(saved);
    return saved;
  }

  const dropUpdates = (isRequested: boolean) => {
    if (isRequested) store.forgetUpdates(store.newestUpdateId() + 1);
  };
  const commandsKey = ({ scope, language_code }: { scope?: unknown; language_code: string }) =>
    JSON.stringify([scope ?? { type: 'default' }, language_code]);

  const methods: Methods = {
    getMe: () => bot,
    getUpdates({ offset, limit, timeout, allowed_updates }, caller) {
      if (store.state().webhook) {
        throw new BotError(
          409,
          "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
        );
      }
      if (allowed_updates) store.setState({ allowedUpdates: allowedUpdates(allowed_updates) });
      const within = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);
      return updates().poll({
        offset,
        limit: within(limit, 1, 100),
        timeoutSec: within(timeout, 0, 50),
        onGone: caller.onGone,
      });
    },
    setWebhook({ url, secret_token, max_connections, allowed_updates, drop_pending_updates }) {
      // The real API requires https and a public address; here the product is on the same computer.
      if (url !== '' && !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
        throw badRequest('bad webhook: invalid webhook URL specified');
      }
      if (secret_token !== undefined && !/^[A-Za-z0-9_-]{1,256}$/.test(secret_token)) {
        throw badRequest('secret token contains unallowed characters');
      }
      if (max_connections < 1 || max_connections > 100) throw badRequest('max_connections must be from 1 to 100');
      dropUpdates(drop_pending_updates);
      store.setState({
        webhook:
          url === '' ? null : { url, secret: secret_token ?? null, maxConnections: max_connections, lastError: null },
        ...(allowed_updates && { allowedUpdates: allowedUpdates(allowed_updates) }),
      });
      updates().webhookChanged();
      return true;
    },
    deleteWebhook({ drop_pending_updates }) {
      dropUpdates(drop_pending_updates);
      store.setState({ webhook: null });
      return true;
    },
    getWebhookInfo() {
      const { webhook, allowedUpdates: kinds } = store.state();
      return {
        url: webhook?.url ?? '',
        has_custom_certificate: false,
        pending_update_count: store.pendingUpdates(),
        ...(webhook?.lastError && {
          last_error_date: webhook.lastError.date,
          last_error_message: webhook.lastError.message,
        }),
        ...(webhook && { max_connections: webhook.maxConnections, allowed_updates: kinds }),
      };
    },
    sendMessage({ chat_id, text, parse_mode, reply_markup }) {
      const { user } = reachablePerson(chat_id);
      const message: Message = {
        message_id: store.nextMessageId(),
        from: botSender,
        chat: chatOf(user),
        date: seconds(),
        ...formatted(text, parse_mode),
        ...(reply_markup && { reply_markup: checkedMarkup(reply_markup) }),
      };
      store.saveMessage(message);
      return message;
    },
    editMessageText: ({ chat_id, message_id, text, parse_mode, reply_markup }) =>
      edited(ownMessage(chat_id, message_id, 'edit'), {
        ...formatted(text, parse_mode),
        ...(reply_markup && { reply_markup: checkedMarkup(reply_markup) }),
      }),
    editMessageReplyMarkup: ({ chat_id, message_id, reply_markup }) =>
      edited(ownMessage(chat_id, message_id, 'edit'), {
        ...(reply_markup && { reply_markup: checkedMarkup(reply_markup) }),
      }),
    deleteMessage({ chat_id, message_id }) {
      reachablePerson(chat_id);
      // In a private chat a bot may delete the user's messages too.
      if (!store.message(chat_id, message_id)) throw badRequest('message to delete not found');
      store.deleteMessage(chat_id, message_id);
      return true;
    },
    answerCallbackQuery({ callback_query_id, text, show_alert }) {
      const press = store.press(callback_query_id);
      if (!press || press.answer || clock.now() > press.at + pressLifeMs) {
        throw badRequest('query is too old and response timeout expired or query ID is invalid');
      }
      store.savePress({ ...press, answer: { text, show_alert } });
      return true;
    },
    sendChatAction({ chat_id }) {
      reachablePerson(chat_id);
      return true;
    },
    getChat({ chat_id }) {
      const person = store.person(chat_id);
      if (!person) throw badRequest('chat not found');
      return chatOf(person.user);
    },
    setMyCommands(sent) {
      store.setState({ commands: { ...store.state().commands, [commandsKey(sent)]: sent.commands } });
      return true;
    },
    getMyCommands: (sent) => store.state().commands[commandsKey(sent)] ?? [],
    deleteMyCommands(sent) {
      const { [commandsKey(sent)]: _gone, ...rest } = store.state().commands;
      store.setState({ commands: rest });
      return true;
    },
  };

  return (name: string, sent: unknown, caller: Caller): unknown => {
    // The real API ignores case too.
    const method = (Object.keys(methods) as MethodName[]).find((known) => known.toLowerCase() === name.toLowerCase());
    if (!method) throw new BotError(404, 'Not Found');
    const act = methods[method] as (sent: unknown, caller: Caller) => unknown;
    const read = readSent(method, sent);
    return method === 'getUpdates' ? act(read, caller) : db.transaction(() => act(read, caller));
  };
}

export function chatOf({ id, first_name, last_name, username }: TelegramUser): Chat {
  return { id, first_name, ...(last_name && { last_name }), ...(username && { username }), type: 'private' };
}

function formatted(source: string, parseMode: string | undefined): { text: string; entities?: Entity[] } {
  const mode = parseMode?.toLowerCase() ?? '';
  if (mode !== '' && mode !== 'html') throw badRequest('unsupported parse_mode');
  const { text, entities } = mode === 'html' ? parseHtml(source) : { text: source, entities: [] };
  if (text.trim() === '') throw badRequest('message text is empty');
  if (text.length > longestText) throw badRequest('message is too long');
  const all = [...entities, ...commandsIn(text)];
  return { text, ...(all.length > 0 && { entities: all }) };
}

function checkedMarkup(markup: Markup): Markup {
  for (const { callback_data, url } of (markup.inline_keyboard ?? []).flat()) {
    if (callback_data === undefined && url === undefined) {
      throw badRequest("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard");
    }
    if (callback_data !== undefined) {
      const bytes = Buffer.byteLength(callback_data);
      if (bytes < 1 || bytes > mostCallbackBytes) throw badRequest('BUTTON_DATA_INVALID');
    }
  }
  return markup;
}
