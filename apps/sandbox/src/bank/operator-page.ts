import { type Html, html } from '../html.ts';
import { clockTime, sandboxHeader } from '../layout.ts';
import { type SwitchField, switchForm } from '../switch-form.ts';
import type { LoggedCall } from './call-log.ts';
import { finalAmountOf, type Invoice } from './invoice.ts';
import { moneyText } from './money.ts';
import { type BankSwitches, bankDefaults, callNames, walletDeclines } from './switches.ts';
import type { WebhookRow } from './webhooks.ts';

const fields: SwitchField[] = [
  { name: 'webhookDelayMs', label: 'Webhooks late by, ms', kind: 'number' },
  { name: 'webhooksLost', label: 'Webhook attempts lost (0 to 3)', kind: 'number' },
  { name: 'webhooksSilent', label: 'No webhooks at all', kind: 'boolean' },
  { name: 'webhooksDuplicate', label: 'Webhooks sent twice', kind: 'boolean' },
  { name: 'webhooksReordered', label: 'Webhooks out of order', kind: 'boolean' },
  { name: 'processingMs', label: 'Card is being asked, ms', kind: 'number' },
  { name: 'finalizeMs', label: 'Finalize takes, ms', kind: 'number' },
  { name: 'cancelMs', label: 'Cancel takes, ms', kind: 'number' },
  { name: 'cancelEndsIn', label: 'Cancel ends in', kind: ['success', 'failure'] },
  { name: 'newStatus', label: 'Every status has a new word', kind: ['off', 'in_review'] },
  { name: 'partlyReturnedAs', label: 'Partly returned is called', kind: ['success', 'reversed'] },
  { name: 'ageDays', label: 'Holds are older by, days', kind: 'number' },
  { name: 'timeScale', label: 'Waits pass faster, times', kind: 'number' },
  { name: 'fiscal', label: 'Fiscal checks', kind: ['off', 'auto', 'required'] },
  { name: 'walletNeeds3ds', label: 'Saved cards need 3-D Secure', kind: 'boolean' },
  { name: 'walletDecline', label: 'Saved cards are declined with code', kind: walletDeclines },
  { name: 'hangMs', label: 'No answer lasts, ms', kind: 'number' },
  ...callNames.map((name): SwitchField => ({ name, label: `Call “${name}” fails`, kind: 'fault' })),
];

interface OperatorView {
  invoices: { invoice: Invoice; webhooks: WebhookRow[] }[];
  switches: BankSwitches;
  reference: string | null;
}

export function operatorPage({ invoices, switches, reference }: OperatorView): Html {
  const scopes = switches.scopes();
  const isSet = Object.keys(switches.own(reference)).length;
  return html`${sandboxHeader('bank')}
<main>
<h1>Bank</h1>
<details class="card"${isSet > 0 && reference !== null && html` open`}>
<summary>Switches ${reference === null ? 'for everyone' : html`for <code>${reference}</code>`}${isSet > 0 && html` <span class="tag amber">${isSet} set</span>`}</summary>
<form class="scope" method="get" action="/bank"><label for="scope">For one reference or invoice</label>
<span class="row"><input id="scope" name="reference" value="${reference ?? ''}" placeholder="everyone" autocomplete="off">
<button class="secondary small">Show</button></span></form>
${scopes.length > 0 && html`<p class="scopes">Set for: ${scopes.map((scope) => html`<a href="/bank?reference=${encodeURIComponent(scope)}">${scope}</a> `)}</p>`}
${switchForm({
  action: '/bank/switches',
  fields,
  own: switches.own(reference),
  inherited: reference === null ? bankDefaults : switches.effective(),
  hidden: reference === null ? {} : { reference },
  extra: html`<button class="text small" name="rotateKey" value="true" data-testid="rotate-key">New signing key</button>`,
})}
</details>
<div class="row spread"><h2>Invoices</h2><a href="/bank/log">Log of calls</a></div>
<div data-live="/bank?part=invoices">${invoiceList(invoices)}</div>
</main>`;
}

export function invoiceList(invoices: OperatorView['invoices']): Html {
  if (invoices.length === 0)
    return html`<p class="empty">No invoices yet. They appear here as soon as a payment is opened.</p>`;
  return html`<ul class="list">${invoices.map(({ invoice, webhooks }) => invoiceRow(invoice, webhooks))}</ul>`;
}

function invoiceRow(invoice: Invoice, webhooks: WebhookRow[]): Html {
  const left = finalAmountOf(invoice);
  const isPartial = left !== undefined && left !== invoice.amount;
  return html`<li class="card invoice" data-testid="bank-invoice" data-invoice="${invoice.id}" data-status="${invoice.status}">
<div class="row spread"><strong class="sum">${moneyText(invoice.amount, invoice.ccy, 'uk')}</strong>
<span class="tag ${tagColours[invoice.status]}">${invoice.status}</span></div>
${isPartial && html`<p class="small">Final ${moneyText(left, invoice.ccy, 'uk')}</p>`}
<p class="small"><a href="/bank/pay/${invoice.id}">${invoice.id}</a></p>
<p class="small">${invoice.paymentType} · ${clockTime(invoice.createdAt)}</p>
${invoice.reference && html`<p class="small">Reference <a href="/bank?reference=${encodeURIComponent(invoice.reference)}">${invoice.reference}</a></p>`}
${invoice.failure && html`<p class="small">${invoice.failure.errCode} · ${invoice.failure.reason}</p>`}
${webhooks.length > 0 && html`<p class="small hooks">Webhooks ${webhooks.map((hook) => html`<span class="tag ${hookColours[hook.state]}">${statusText(hook)} ${hook.state.replace('_', ' ')}${hook.attempts > 1 && ` ×${hook.attempts}`}</span> `)}</p>`}
${operatorActions[invoice.status].length > 0 && html`<div class="actions">${operatorActions[invoice.status].map(({ action, label }) => html`<form method="post" action="/bank/invoices/${invoice.id}/${action}"><button class="text small" data-testid="bank-${action}">${label}</button></form>`)}</div>`}
</li>`;
}

const runOut = { action: 'expire', label: 'Let it run out' };
/** Actions on an invoice that neither payer nor merchant can trigger. */
const operatorActions: Record<Invoice['status'], { action: string; label: string }[]> = {
  created: [runOut],
  processing: [],
  hold: [runOut],
  success: [{ action: 'chargeback', label: 'Charge back' }],
  failure: [],
  reversed: [],
  expired: [],
};

function statusText({ body }: WebhookRow): string {
  return (JSON.parse(body) as { status: string }).status;
}

const tagColours = {
  created: 'amber',
  processing: 'teal',
  hold: 'teal',
  success: 'green',
  failure: 'red',
  reversed: 'grey',
  expired: 'grey',
} as const satisfies Record<Invoice['status'], string>;

const hookColours = {
  pending: 'amber',
  delivered: 'green',
  given_up: 'red',
  withheld: 'grey',
} as const satisfies Record<WebhookRow['state'], string>;

export function logPage(calls: LoggedCall[]): Html {
  const rows = calls.map(
    (call) => html`<li class="card call">
<div class="row spread"><code>${call.what}</code><span class="tag ${callColour(call)}">${call.status ?? 'no answer'}</span></div>
<p class="small">${call.direction === 'webhook' ? 'webhook' : 'call'} · ${clockTime(call.at)}</p>
${call.request !== '' && html`<details><summary>Sent</summary><pre>${pretty(call.request)}</pre></details>`}
${call.answer !== '' && html`<details><summary>Answered</summary><pre>${pretty(call.answer)}</pre></details>`}
</li>`,
  );
  return html`${sandboxHeader('bank')}
<main><div class="row spread"><h1>Log of calls</h1><a href="/bank">Invoices</a></div>
${rows.length > 0 ? html`<ul class="list">${rows}</ul>` : html`<p class="empty">There are no calls yet.</p>`}
</main>`;
}

function callColour({ status }: LoggedCall): string {
  if (status === null) return 'amber';
  return status < 400 ? 'green' : 'red';
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
