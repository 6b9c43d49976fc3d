import { type Html, html } from '../html.ts';
import { clockTime, sandboxHeader } from '../layout.ts';
import { switchForm } from '../switch-form.ts';
import type { SmsMessage } from './store.ts';
import { type SmsSwitches, smsDefaults, smsFields } from './switches.ts';

interface View {
  messages: SmsMessage[];
  phone: string | null;
  balance: number;
  switches: SmsSwitches;
}

export function smsPage({ messages, phone, balance, switches }: View): Html {
  const live = phone === null ? '/sms?part=messages' : `/sms?part=messages&phone=${encodeURIComponent(phone)}`;
  return html`${sandboxHeader('sms')}
<main>
<h1>SMS</h1>
<form class="scope" method="get" action="/sms"><label for="phone">Messages of one phone</label>
<span class="row"><input id="phone" name="phone" type="tel" value="${phone ?? ''}" placeholder="+380…" autocomplete="off">
<button class="secondary small">Show</button></span></form>
<div data-live="${live}">${messageList(messages)}</div>
<details class="card"><summary>Switches</summary>
<p class="small">On the account: ${(balance / 100).toFixed(2)} UAH</p>
${switchForm({ action: '/sms/switches', fields: smsFields, own: switches.own(null), inherited: smsDefaults })}
</details>
</main>`;
}

export function messageList(messages: SmsMessage[]): Html {
  if (messages.length === 0) return html`<p class="empty">No messages yet.</p>`;
  return html`<ul class="list">${messages.map(
    ({ phone, sender, text, createdAt }) => html`<li class="card sms" data-testid="sms-message" data-phone="${phone}">
<div class="row spread"><a href="/sms?phone=${phone}">+${phone}</a><span class="small">${clockTime(createdAt)}</span></div>
<p class="sms-text" data-testid="sms-text">${text}</p>
<p class="small">from ${sender}</p></li>`,
  )}</ul>`;
}
