import * as z from 'zod/mini';
import { badRequest } from './bot-error.ts';
import { updateTypes } from './types.ts';

/** Parameters of the Bot API's methods. They arrive as JSON, as a form or in the URL, where everything is text. */

const number = (schema: z.ZodMiniType<number>) =>
  z.pipe(
    z.transform((value) => (typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value)),
    schema,
  );
const json = <Schema extends z.ZodMiniType>(schema: Schema) => z.pipe(z.transform(parsed), schema);
const flag = z.pipe(
  z.transform((value) => (typeof value === 'string' ? value.toLowerCase() === 'true' : value)),
  z.boolean(),
);

const ChatId = number(z.int());
const MessageId = number(z.int());
const Text = z.string();

const InlineButton = z.object({
  text: z.string().check(z.minLength(1)),
  callback_data: z.optional(z.string()),
  url: z.optional(z.string()),
});
const ReplyMarkup = json(
  z.looseObject({
    inline_keyboard: z.optional(z.array(z.array(InlineButton))),
    keyboard: z.optional(
      z.array(
        z.array(
          z.pipe(
            z.transform((button) => (typeof button === 'string' ? { text: button } : button)),
            z.looseObject({ text: z.string().check(z.minLength(1)) }),
          ),
        ),
      ),
    ),
  }),
);
const ParseMode = z.optional(z.string());

const parameters = {
  getMe: z.object({}),
  getUpdates: z.object({
    offset: z._default(number(z.int()), 0),
    limit: z._default(number(z.int()), 100),
    timeout: z._default(number(z.int()), 0),
    allowed_updates: z.optional(json(z.array(z.string()))),
  }),
  setWebhook: z.object({
    url: z._default(z.string().check(z.maxLength(2048)), ''),
    secret_token: z.optional(z.string()),
    max_connections: z._default(number(z.int()), 40),
    allowed_updates: z.optional(json(z.array(z.string()))),
    drop_pending_updates: z._default(flag, false),
  }),
  deleteWebhook: z.object({ drop_pending_updates: z._default(flag, false) }),
  getWebhookInfo: z.object({}),
  sendMessage: z.object({ chat_id: ChatId, text: Text, parse_mode: ParseMode, reply_markup: z.optional(ReplyMarkup) }),
  editMessageText: z.object({
    chat_id: ChatId,
    message_id: MessageId,
    text: Text,
    parse_mode: ParseMode,
    reply_markup: z.optional(ReplyMarkup),
  }),
  editMessageReplyMarkup: z.object({
    chat_id: ChatId,
    message_id: MessageId,
    reply_markup: z.optional(ReplyMarkup),
  }),
  deleteMessage: z.object({ chat_id: ChatId, message_id: MessageId }),
  answerCallbackQuery: z.object({
    callback_query_id: z.string(),
    text: z.optional(z.string().check(z.maxLength(200))),
    show_alert: z.optional(flag),
  }),
  sendChatAction: z.object({ chat_id: ChatId, action: z.string().check(z.minLength(1)) }),
  getChat: z.object({ chat_id: ChatId }),
  setMyCommands: z.object({
    commands: json(
      z
        .array(
          z.object({
            command: z.string().check(z.regex(/^[a-z0-9_]{1,32}$/)),
            description: z.string().check(z.minLength(1), z.maxLength(256)),
          }),
        )
        .check(z.maxLength(100)),
    ),
    scope: z.optional(json(z.unknown())),
    language_code: z._default(z.string().check(z.maxLength(8)), ''),
  }),
  getMyCommands: z.object({ scope: z.optional(json(z.unknown())), language_code: z._default(z.string(), '') }),
  deleteMyCommands: z.object({ scope: z.optional(json(z.unknown())), language_code: z._default(z.string(), '') }),
} as const;

export type MethodName = keyof typeof parameters;
export type Sent<Name extends MethodName> = z.infer<(typeof parameters)[Name]>;

/** Telegram's own error texts for missing or invalid parameters. */
const errorTexts: Record<string, string> = {
  chat_id: 'chat_id is empty',
  text: 'message text is empty',
  message_id: 'message identifier is not specified',
  reply_markup: "can't parse reply keyboard markup JSON object",
};

export function readSent<Name extends MethodName>(method: Name, sent: unknown): Sent<Name> {
  const result = (parameters[method] as unknown as z.ZodMiniType<Sent<Name>>).safeParse(sent ?? {});
  if (result.success) return result.data;
  const name = String(result.error.issues[0]?.path[0] ?? 'parameters');
  throw badRequest(errorTexts[name] ?? `can't parse ${name}`);
}

/** Unknown kinds are ignored, as Telegram does; an empty list means the default. */
export function allowedUpdates(requested: string[]) {
  const known = updateTypes.filter((type) => requested.includes(type));
  return requested.length === 0 ? [...updateTypes] : known;
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
