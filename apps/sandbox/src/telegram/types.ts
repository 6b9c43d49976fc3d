/** The types of the Bot API that a private chat with one bot needs. */
export interface TelegramUser {
  id: number;
  is_bot: boolean;
  first_name: string;
  last_name?: string;
  username?: string;
  language_code?: string;
}

export interface Chat {
  id: number;
  type: 'private';
  first_name: string;
  last_name?: string;
  username?: string;
}

export interface Entity {
  type: string;
  offset: number;
  length: number;
  url?: string;
}

export interface InlineButton {
  text: string;
  callback_data?: string | undefined;
  url?: string | undefined;
}

/** Either buttons under the message, or a keyboard for the user's answer. */
export interface Markup {
  inline_keyboard?: InlineButton[][] | undefined;
  keyboard?: { text: string }[][] | undefined;
  [other: string]: unknown;
}

export interface Message {
  message_id: number;
  from: TelegramUser;
  chat: Chat;
  date: number;
  edit_date?: number;
  text: string;
  entities?: Entity[];
  reply_markup?: Markup;
}

export const updateTypes = ['message', 'callback_query', 'my_chat_member'] as const;
export type UpdateType = (typeof updateTypes)[number];
export type Update = { update_id: number } & { [Type in UpdateType]?: object };
