import { type Html, html } from './html.ts';

const parts = [
  { path: '/bank', name: 'Bank', plays: 'monobank acquiring', what: 'Invoices, the payment page, webhooks, switches' },
  { path: '/sms', name: 'SMS', plays: 'TurboSMS', what: 'Every phone’s messages, the newest first' },
  { path: '/telegram', name: 'Telegram', plays: 'Bot API', what: 'A chat with the bot as any Telegram user' },
  { path: '/push', name: 'Push', plays: 'a push service', what: 'Notifications of browsers, decrypted' },
];

export function homePage(): Html {
  return html`<main>
<h1>Sandbox</h1>
<p class="lead">It plays the services that the product calls. No money moves and no message leaves this computer.</p>
<ul class="list">${parts.map(
    ({ path, name, plays, what }) => html`<li><a class="card part" href="${path}">
<strong>${name}</strong> <span class="small">plays ${plays}</span><span>${what}</span></a></li>`,
  )}</ul>
</main>`;
}
