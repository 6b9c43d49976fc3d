import { demo } from '../demo.ts';
import { type Html, html, raw } from '../html.ts';
import { type CardFault, type CardForm, testCard } from './card.ts';
import { declines, notEnoughMoney, payerCancelled } from './declines.ts';
import { type Invoice, isPayable } from './invoice.ts';
import { lineTotal, moneyText, quantityText } from './money.ts';
import { type Language, languages, payTexts } from './pay-texts.ts';

interface View {
  invoice: Invoice;
  lang: Language;
  /** What the payer typed, with its errors. */
  typed?: CardForm;
  faults?: CardFault[];
}

/** The payment page: the amount, the purpose and a card form, or the result of the invoice. */
export function payPage(view: View): Html {
  const { invoice, lang } = view;
  return frame(
    lang,
    html`${summary(invoice, lang)}
${isPayable(invoice) ? cardForm(view) : outcome(invoice, lang)}`,
  );
}

export function unknownInvoicePage(lang: Language): Html {
  const [title, text] = payTexts[lang].unknown;
  return frame(lang, html`<section class="card outcome"><h1>${title}</h1><p>${text}</p></section>`);
}

function frame(lang: Language, content: Html): Html {
  const t = payTexts[lang];
  const links = languages.map(
    (code) =>
      html`<a href="?lang=${code}" lang="${code}" hreflang="${code}"${code === lang && raw(' aria-current="true"')}>${code.toUpperCase()}</a>`,
  );
  return html`<header class="pay-top"><span class="bank-name">${icons.lock}Sandbox Bank</span>
<nav class="languages" aria-label="${t.language}">${links}</nav></header>
<main>
<p class="test-note">${icons.flask}${t.test}</p>
${content}
</main>`;
}

/** Number of characters of an amount that fit a phone's width in the largest size. */
const longAmount = 11;

function summary(invoice: Invoice, lang: Language): Html {
  const t = payTexts[lang];
  const lines = invoice.basket.map(
    (line) => html`<li><span class="line-name">${line.name}</span>
<span class="line-qty">${quantityText(line.qty, line.unit, lang)} × ${moneyText(line.sum, invoice.ccy, lang)}</span>
<span class="line-sum">${moneyText(lineTotal(line), invoice.ccy, lang)}</span></li>`,
  );
  const amount = moneyText(invoice.amount, invoice.ccy, lang);
  const note = { hold: t.holdNote, verification: t.verifyNote, debit: null }[invoice.paymentType];
  return html`<section class="card summary">
<p class="merchant"><span>${t.for}</span> <strong>${demo.merchant.merchantName}</strong></p>
<p class="amount-label">${invoice.paymentType === 'hold' ? t.toHold : t.toPay}</p>
<h1 class="amount${amount.length > longAmount && ' long'}" data-testid="bank-amount">${amount}</h1>
${invoice.destination && html`<p class="destination">${invoice.destination}</p>`}
${lines.length > 0 && html`<ul class="basket" aria-label="${t.basket}">${lines}</ul>`}
${note && isPayable(invoice) && html`<p class="note">${note}</p>`}
</section>`;
}

function cardForm({ invoice, lang, typed = testCard, faults = [] }: View): Html {
  const t = payTexts[lang];
  const verb = { hold: t.hold, debit: t.pay, verification: t.confirm }[invoice.paymentType];
  const sum = invoice.amount > 0 ? ` ${moneyText(invoice.amount, invoice.ccy, lang)}` : '';
  const field = (name: CardFault, label: string, value: string, attributes: string) => html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${value}" required ${raw(attributes)}${faults.includes(name) && raw(` aria-invalid="true" aria-describedby="${name}-fault"`)}>
${faults.includes(name) && html`<p class="fault" id="${name}-fault">${icons.alert}${t.faults[name]}</p>`}
</div>`;
  const reasons = Object.entries(declines)
    .filter(([code]) => code !== payerCancelled)
    .map(
      ([code, text]) =>
        html`<option value="${code}"${code === notEnoughMoney && raw(' selected')}>${code} · ${text[lang]}</option>`,
    );
  const savedCard = invoice.thinking?.awaits3ds ? invoice.card : null;
  return html`<form class="card pay-form" method="post" action="/bank/pay/${invoice.id}?lang=${lang}" novalidate>
${
  savedCard
    ? html`<p class="saved-card"><span>${t.savedCard}</span> <strong>${savedCard.maskedPan}</strong></p>`
    : html`${field('number', t.card, typed.number, 'inputmode="numeric" autocomplete="cc-number" maxlength="24"')}
<div class="pair">
${field('expiry', t.expiry, typed.expiry, `inputmode="numeric" autocomplete="cc-exp" maxlength="7" placeholder="${t.expiryHint}"`)}
${field('cvv', t.cvv, typed.cvv, 'inputmode="numeric" autocomplete="cc-csc" maxlength="4"')}
</div>`
}
<button class="main" name="action" value="pay" data-testid="bank-pay">${verb}${sum}</button>
<div class="pair">
<button class="secondary" name="action" value="decline" data-testid="bank-decline">${t.decline}</button>
<button class="quiet" name="action" value="cancel" data-testid="bank-cancel">${t.cancel}</button>
</div>
<div class="field reason"><label for="errCode">${t.declineWith}</label>
<select id="errCode" name="errCode">${reasons}</select></div>
</form>`;
}

function outcome(invoice: Invoice, lang: Language): Html {
  const t = payTexts[lang];
  const state = invoice.status === 'created' ? 'processing' : invoice.status;
  const [title, text] = t.states[state];
  const reason = invoice.failure && invoice.failure.errCode in declines;
  return html`<section class="card outcome ${state}" data-testid="bank-outcome" data-status="${state}">
<span class="outcome-mark">${outcomeIcons[state]}</span>
<h2>${title}</h2>
${reason && html`<p class="reason-text">${declines[invoice.failure?.errCode as keyof typeof declines][lang]}</p>`}
<p>${text}</p>
${invoice.redirectUrl && html`<a class="button main" href="${invoice.redirectUrl}" data-testid="bank-back">${t.back}</a>`}
</section>`;
}

const icon = (paths: string) =>
  raw(
    `<svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths}</svg>`,
  );

const icons = {
  lock: icon('<rect x="4" y="11" width="16" height="10" rx="2"/><path d="M8 11V7a4 4 0 0 1 8 0v4"/>'),
  flask: icon('<path d="M9 3h6M10 3v6l-5 9a2 2 0 0 0 2 3h10a2 2 0 0 0 2-3l-5-9V3M7.5 15h9"/>'),
  alert: icon('<circle cx="12" cy="12" r="9"/><path d="M12 8v5M12 16.5v.01"/>'),
  check: icon('<path d="M5 12.5 10 17.5 19 7.5"/>'),
  cross: icon('<path d="M6 6l12 12M18 6 6 18"/>'),
  clock: icon('<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>'),
  back: icon('<path d="M9 14 4 9l5-5"/><path d="M4 9h10a6 6 0 0 1 0 12h-3"/>'),
};

const outcomeIcons = {
  processing: icons.clock,
  hold: icons.check,
  success: icons.check,
  failure: icons.cross,
  reversed: icons.back,
  expired: icons.clock,
};
