import { randomInt } from 'node:crypto';
import * as z from 'zod/mini';
import type { Clock } from '../clock.ts';
import type { Database } from '../database.ts';
import { bot, chatOf } from './methods.ts';
import { commandsIn } from './rich-text.ts';
import type { Person, TelegramStore } from './store.ts';
import type { Message, TelegramUser } from './types.ts';
import type { Updates } from './updates.ts';

/** The writing person. An omitted field stays unchanged, or gets a default made from the id. */
export const Profile = z.object({
  first_name: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
  last_name: z.optional(z.string().check(z.maxLength(64))),
  username: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_]{0,32}$/))),
  language_code: z.optional(z.string().check(z.regex(/^([a-z]{2,3}(-[A-Za-z0-9]{2,8})?)?$/))),
});
export type Profile = z.infer<typeof Profile>;

interface Parts {
  db: Database;
  clock: Clock;
  store: TelegramStore;
  updates: Updates;
}

export type People = ReturnType<typeof createPeople>;

/** The actions of people in a chat with the bot. */
export function createPeople({ db, clock, store, updates }: Parts) {
  const seconds = () => Math.floor(clock.now() / 1000);

  function findOrCreate(id: number, profile: Profile = {}): Person {
    const known = store.person(id);
    const given = Object.fromEntries(
      Object.entries(profile).filter(([, value]) => value !== undefined && value !== ''),
    );
    const user: TelegramUser = {
      id,
      is_bot: false,
      first_name: `User ${id}`,
      language_code: 'uk',
      ...known?.user,
      ...given,
    };
    const person = { hasStarted: false, hasBlocked: false, ...known, user };
    store.savePerson(person);
    return person;
  }

  function memberUpdate({ user }: Person, before: 'member' | 'kicked', now: 'member' | 'kicked'): void {
    const member = (status: 'member' | 'kicked') => ({
      user: bot,
      status,
      ...(status === 'kicked' && { until_date: 0 }),
    });
    updates.add('my_chat_member', {
      chat: chatOf(user),
      from: user,
      date: seconds(),
      old_chat_member: member(before),
      new_chat_member: member(now),
    });
  }

  function setBlocked(id: number, hasBlocked: boolean): Person {
    const person = findOrCreate(id);
    if (person.hasBlocked === hasBlocked) return person;
    const changed = { ...person, hasBlocked };
    store.savePerson(changed);
    memberUpdate(changed, hasBlocked ? 'member' : 'kicked', hasBlocked ? 'kicked' : 'member');
    return changed;
  }

  return {
    findOrCreate: (id: number, profile?: Profile) => db.transaction(() => findOrCreate(id, profile)),
    block: (id: number) => db.transaction(() => setBlocked(id, true)),
    unblock: (id: number) => db.transaction(() => setBlocked(id, false)),
    write: (id: number, text: string, profile?: Profile): Message =>
      db.transaction(() => {
        findOrCreate(id, profile);
        // In Telegram, a person can write to a blocked bot only by starting it again.
        const person = { ...setBlocked(id, false), hasStarted: true };
        store.savePerson(person);
        const entities = commandsIn(text);
        const message: Message = {
          message_id: store.nextMessageId(),
          from: person.user,
          chat: chatOf(person.user),
          date: seconds(),
          text,
          ...(entities.length > 0 && { entities }),
        };
        store.saveMessage(message);
        updates.add('message', message);
        return message;
      }),
    /** Presses a button under a message; null when there is no such button. */
    press: (id: number, messageId: number, data: string): { id: string } | null =>
      db.transaction(() => {
        const message = store.message(id, messageId);
        const person = store.person(id);
        const buttons = (message?.reply_markup?.inline_keyboard ?? []).flat();
        if (!message || !person || !buttons.some((button) => button.callback_data === data)) return null;
        const press = { id: String(randomInt(10 ** 14)), chatId: id, messageId, data, at: clock.now(), answer: null };
        store.savePress(press);
        updates.add('callback_query', {
          id: press.id,
          from: person.user,
          message,
          chat_instance: String(bot.id * 7 + id),
          data,
        });
        return { id: press.id };
      }),
  };
}
