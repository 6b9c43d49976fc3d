import { demo } from '../demo.ts';
import { type Html, html, raw } from '../html.ts';
import { clockTime, sandboxHeader } from '../layout.ts';
import { switchForm } from '../switch-form.ts';
import type { Person, PressedButton, TelegramStore } from './store.ts';
import { type TelegramSwitches, telegramDefaults, telegramFields } from './switches.ts';
import type { InlineButton, Message } from './types.ts';

/** The user before another one is chosen. */
const firstUser = { id: 500000001, name: 'Olena', language: 'uk' };

/** `/telegram`: the choice of a user, and the switches. */
export function peoplePage(people: Person[], switches: TelegramSwitches): Html {
  return html`${sandboxHeader('telegram')}
<main>
<h1>Telegram</h1>
<section class="card">${whoForm(null)}</section>
${
  people.length > 0 &&
  html`<h2>People</h2><ul class="list">${people.map(
    ({ user, hasBlocked }) => html`<li><a class="card part" href="/telegram/chat?user=${user.id}">
<strong>${user.first_name}</strong> <span class="small">${user.id} · ${user.language_code ?? ''}</span>
${hasBlocked && html`<span class="tag red">blocked the bot</span>`}</a></li>`,
  )}</ul>`
}
<details class="card"><summary>Switches</summary>
${switchForm({ action: '/telegram/switches', fields: telegramFields, own: switches.own(null), inherited: telegramDefaults })}
</details>
</main>`;
}

/** `/telegram/chat?start=…` without a user: the choice of the user who opened the link. */
export function whoPage(people: Person[], start: string): Html {
  return html`${sandboxHeader('telegram')}
<main><h1>Who opens the link?</h1>
<section class="card">${whoForm(start)}</section>
${
  people.length > 0 &&
  html`<ul class="list">${people.map(
    ({
      user,
    }) => html`<li><a class="card part" href="/telegram/chat?user=${user.id}&start=${encodeURIComponent(start)}">
<strong>${user.first_name}</strong> <span class="small">${user.id}</span></a></li>`,
  )}</ul>`
}
</main>`;
}

function whoForm(start: string | null): Html {
  const language = (code: string) => html`<option value="${code}">${code}</option>`;
  return html`<form class="who" method="post" action="/telegram/chat">
${start !== null && html`<input type="hidden" name="start" value="${start}">`}
<div class="field"><label for="user">Telegram id</label><input id="user" name="user" inputmode="numeric" value="${firstUser.id}" required></div>
<div class="field"><label for="name">Name</label><input id="name" name="name" value="${firstUser.name}"></div>
<div class="field"><label for="language">Language</label><select id="language" name="language">${['uk', 'en', 'pl', 'xx'].map(language)}</select></div>
<button class="main" data-testid="telegram-open">Open the chat</button>
</form>`;
}

interface ChatView {
  person: Person;
  messages: Message[];
  lastPress: PressedButton | undefined;
  commands: ReturnType<TelegramStore['state']>['commands'][string];
  start: string | null;
}

export function chatPage(view: ChatView): Html {
  const { person, start, commands } = view;
  const { id, first_name } = person.user;
  const startText = start ? `/start ${start}` : '/start';
  const mustStart = start !== null || !person.hasStarted || person.hasBlocked;
  return html`<header class="chat-top"><a class="chat-back" href="/telegram" aria-label="Back">‹</a>
<div class="chat-name"><h1>${demo.botName}</h1><span class="small">as ${first_name} · ${id}</span></div>
<form method="post" action="/telegram/users/${id}/${person.hasBlocked ? 'unblock' : 'block'}"><button class="text small" data-testid="telegram-block">${person.hasBlocked ? 'Unblock' : 'Block'}</button></form>
</header>
<main><div class="chat-log" data-live="/telegram/chat?user=${id}&part=messages" data-scroll>${messageLog(view)}</div></main>
<footer class="chat-dock">
${mustStart ? send(id, startText, html`<button class="main" data-testid="telegram-start">Start</button>`) : ''}
${!mustStart && commands && commands.length > 0 && html`<div class="quick">${commands.map(({ command, description }) => send(id, `/${command}`, html`<button class="chip" title="${description}">/${command}</button>`))}</div>`}
<form class="row" method="post" action="/telegram/users/${id}/messages"><input name="text" aria-label="Message" placeholder="Message" autocomplete="off" maxlength="4096" required data-testid="telegram-text">
<button class="secondary small" data-testid="telegram-send">Send</button></form>
</footer>`;
}

function send(id: number, text: string, button: Html): Html {
  return html`<form method="post" action="/telegram/users/${id}/messages"><input type="hidden" name="text" value="${text}">${button}</form>`;
}

export function messageLog({ person, messages, lastPress }: ChatView): Html {
  if (messages.length === 0) return html`<p class="empty">Nothing written yet.</p>`;
  const bubbles = messages.map((message) => bubble(person.user.id, message));
  // The answer to a press is shown until the person's next message.
  const lastSaid = messages.findLast((message) => !message.from.is_bot)?.date ?? 0;
  const answer = lastPress && Math.floor(lastPress.at / 1000) >= lastSaid ? lastPress.answer?.text : null;
  const keyboard = messages.findLast((message) => message.from.is_bot)?.reply_markup?.keyboard ?? [];
  return html`${bubbles}
${answer && html`<p class="toast" role="status" data-testid="telegram-toast">${answer}</p>`}
${keyboard.length > 0 && html`<div class="quick">${keyboard.flat().map(({ text }) => send(person.user.id, text, html`<button class="chip">${text}</button>`))}</div>`}`;
}

function bubble(chatId: number, message: Message): Html {
  const rows = message.reply_markup?.inline_keyboard ?? [];
  const side = message.from.is_bot ? 'theirs' : 'mine';
  return html`<div class="bubble ${side}" data-testid="telegram-message" data-from="${message.from.is_bot ? 'bot' : 'user'}" data-message="${message.message_id}">
<p class="bubble-text">${richText(message)}</p>
<p class="small">${message.edit_date && 'edited · '}${clockTime(message.date * 1000).slice(11, 16)}</p>
${rows.map((row) => html`<div class="keys">${row.map((button) => key(chatId, message.message_id, button))}</div>`)}
</div>`;
}

function key(chatId: number, messageId: number, { text, callback_data, url }: InlineButton): Html {
  if (callback_data === undefined) {
    const isWeb = /^https?:/i.test(url ?? '');
    return html`<a class="key" href="${isWeb ? (url ?? '') : '#'}" rel="noopener">${text}</a>`;
  }
  return html`<form method="post" action="/telegram/users/${chatId}/press"><input type="hidden" name="message_id" value="${messageId}">
<input type="hidden" name="data" value="${callback_data}"><button class="key" data-testid="telegram-button" data-data="${callback_data}">${text}</button></form>`;
}

const elements: Record<string, string> = {
  bold: 'strong',
  italic: 'em',
  underline: 'u',
  strikethrough: 's',
  code: 'code',
  pre: 'code',
};

/** Bold and similar; overlapping entities are shown as plain text. */
function richText({ text, entities = [] }: Message): Html {
  const parts: Html[] = [];
  let at = 0;
  for (const { type, offset, length } of entities) {
    const element = elements[type];
    if (!element || offset < at) continue;
    parts.push(
      html`${text.slice(at, offset)}${raw(`<${element}>`)}${text.slice(offset, offset + length)}${raw(`</${element}>`)}`,
    );
    at = offset + length;
  }
  return html`${parts}${text.slice(at)}`;
}
