import type { FastifyInstance, FastifyReply } from 'fastify';
import * as z from 'zod/mini';
import { isForm, readBody, UnreadableBody } from '../body.ts';
import { html } from '../html.ts';
import { sandboxHeader, sendHtml, sendPage } from '../layout.ts';
import { fromForm } from '../switches.ts';
import type { BankParts } from './calls.ts';
import { cardFaults } from './card.ts';
import { notEnoughMoney } from './declines.ts';
import { checksOf } from './documents.ts';
import type { Invoice } from './invoice.ts';
import { moneyText } from './money.ts';
import { invoiceList, logPage, operatorPage } from './operator-page.ts';
import { payPage, unknownInvoicePage } from './pay-page.ts';
import { languageOf, payTexts } from './pay-texts.ts';
import { type Bank, NotPayable } from './service.ts';
import { BankSwitchChange, bankDefaults } from './switches.ts';
import type { Webhooks } from './webhooks.ts';
import { statusAnswer } from './wire.ts';

const ErrCode = z.string().check(z.regex(/^[0-9A-Za-z_]{1,20}$/));
const PayForm = z.object({
  action: z.enum(['pay', 'decline', 'cancel']),
  number: z._default(z.string(), ''),
  expiry: z._default(z.string(), ''),
  cvv: z._default(z.string(), ''),
  errCode: z._default(ErrCode, notEnoughMoney),
});
const Action = z.object({
  /** A card number, with the same checks as on the page. */
  number: z.optional(z.string()),
  errCode: z.optional(ErrCode),
  /** The payment succeeds although the bank has already reported failure or expired. */
  late: z._default(z.boolean(), false),
});

const actions = {
  pay: (bank: Bank, id: string, { number, late }: z.infer<typeof Action>) =>
    bank.pay(id, { isLate: late, ...(number !== undefined && { number }) }),
  decline: (bank: Bank, id: string, { errCode }: z.infer<typeof Action>) => bank.decline(id, errCode),
  cancel: (bank: Bank, id: string) => bank.payerCancels(id),
  expire: (bank: Bank, id: string) => bank.expire(id),
  chargeback: (bank: Bank, id: string) => bank.chargeback(id),
} as const;

const validCard = { expiry: '12/99', cvv: '000' };

/**
 * The routes below `/bank` that the real bank has no API for: the payment page, the operator page, and the same actions
 * by HTTP.
 */
export function bankRoutes(app: FastifyInstance, parts: BankParts & { webhooks: Webhooks }): void {
  const { bank, invoices, switches, callLog, webhooks, key, clock } = parts;
  const bad = (reply: FastifyReply, errText: string, status = 400) =>
    reply.code(status).send({ errCode: 'BAD_REQUEST', errText });
  const withWebhooks = (list: Invoice[]) => list.map((invoice) => ({ invoice, webhooks: webhooks.of(invoice.id) }));

  app.get<{ Querystring: Record<string, unknown> }>('/', (request, reply) => {
    const { reference, part } = request.query;
    const recent = withWebhooks(invoices.recent(50));
    if (part === 'invoices') return sendHtml(reply, invoiceList(recent));
    const scope = typeof reference === 'string' && reference !== '' ? reference : null;
    const body = operatorPage({ invoices: recent, switches, reference: scope });
    return sendPage(reply, { title: 'Sandbox · Bank', kind: 'operator', body });
  });
  app.get('/log', (_request, reply) =>
    sendPage(reply, { title: 'Sandbox · Log', kind: 'operator', body: logPage(callLog.recent(200)) }),
  );
  app.get('/log.json', () => ({ calls: callLog.recent(500) }));

  const switchState = () => ({
    defaults: bankDefaults,
    everyone: switches.own(null),
    references: Object.fromEntries(switches.scopes().map((scope) => [scope, switches.own(scope)])),
  });
  app.get('/switches', switchState);
  app.delete('/switches', () => {
    switches.reset();
    bank.switchesChanged();
    return switchState();
  });
  app.post('/switches', (request, reply) => {
    const { reset, reference: scope, ...fields } = (readBody(request) ?? {}) as Record<string, unknown>;
    const changes = BankSwitchChange.safeParse({
      ...(isForm(request) ? (fromForm(fields) as object) : fields),
      ...(scope !== undefined && { reference: scope }),
    });
    if (!changes.success) return bad(reply, z.prettifyError(changes.error));
    const { reference = null, rotateKey, ...values } = changes.data;
    if (reset) switches.reset(reference ?? '');
    else switches.set(reference, values);
    if (rotateKey) key.rotate();
    bank.switchesChanged();
    if (!isForm(request)) return switchState();
    return reply.redirect(reference === null ? '/bank' : `/bank?reference=${encodeURIComponent(reference)}`, 303);
  });

  app.get<{ Querystring: Record<string, unknown> }>('/invoices', ({ query }) => ({
    invoices: invoices.recent(200, typeof query.reference === 'string' ? query.reference : undefined).map(statusAnswer),
  }));
  app.get<{ Params: { id: string } }>('/invoices/:id', ({ params }, reply) => {
    const invoice = bank.find(params.id);
    if (!invoice) return bad(reply, 'no such invoice', 404);
    return { ...statusAnswer(invoice), webhooks: webhooks.of(invoice.id) };
  });
  for (const [name, act] of Object.entries(actions)) {
    app.post<{ Params: { id: string } }>(`/invoices/:id/${name}`, (request, reply) => {
      const sent = Action.safeParse(readBody(request) ?? {});
      if (!sent.success) return bad(reply, z.prettifyError(sent.error));
      const { number } = sent.data;
      if (number !== undefined && cardFaults({ number, ...validCard }, clock.now()).length > 0) {
        return bad(reply, 'the card number is wrong');
      }
      if (!bank.find(request.params.id)) return bad(reply, 'no such invoice', 404);
      const invoice = act(bank, request.params.id, sent.data);
      return isForm(request) ? reply.redirect('/bank', 303) : statusAnswer(invoice);
    });
  }

  app.get<{ Params: { id: string }; Querystring: Record<string, unknown> }>('/pay/:id', (request, reply) => {
    const lang = languageOf(request.query.lang, request.headers['accept-language']);
    const invoice = bank.find(request.params.id);
    const title = payTexts[lang].title;
    if (!invoice) return sendPage(reply, { title, lang, kind: 'pay', body: unknownInvoicePage(lang) }, 404);
    if (invoice.status === 'processing') reply.header('refresh', '2');
    return sendPage(reply, { title, lang, kind: 'pay', body: payPage({ invoice, lang }) });
  });
  app.post<{ Params: { id: string }; Querystring: Record<string, unknown> }>('/pay/:id', (request, reply) => {
    const lang = languageOf(request.query.lang, request.headers['accept-language']);
    const page = `/bank/pay/${encodeURIComponent(request.params.id)}?lang=${lang}`;
    const invoice = bank.find(request.params.id);
    const sent = PayForm.safeParse(readBody(request));
    if (!invoice || !sent.success) return reply.redirect(page, 303);
    const { action, errCode, ...typed } = sent.data;
    const faults = action === 'pay' && !invoice.thinking ? cardFaults(typed, clock.now()) : [];
    if (faults.length > 0) {
      // The security code is not returned, as on any bank's page.
      const body = payPage({ invoice, lang, typed: { ...typed, cvv: '' }, faults });
      return sendPage(reply, { title: payTexts[lang].title, lang, kind: 'pay', body }, 422);
    }
    try {
      actions[action](bank, invoice.id, { number: typed.number || undefined, errCode, late: false });
    } catch (error) {
      // The button was pressed twice or too late, so the page shows the result of the invoice.
      if (!(error instanceof NotPayable)) throw error;
      return reply.redirect(page, 303);
    }
    return reply.redirect(invoice.redirectUrl === null ? page : new URL(invoice.redirectUrl).href, 303);
  });

  /** The target of a fiscal check's link, which is really a page of the tax office. */
  app.get<{ Querystring: Record<string, unknown> }>('/cashregs/check', ({ query }, reply) => {
    const invoice = bank.find(String(query.invoice));
    const checks = invoice ? checksOf(invoice, switches.effective(invoice.reference, invoice.id), clock.now()) : [];
    const check = checks.find(({ fiscalNumber }) => fiscalNumber === query.id);
    const body = html`${sandboxHeader('bank')}<main>${
      invoice && check
        ? html`<h1>Fiscal check ${check.fiscalNumber}</h1><section class="card"><p>${check.type}</p>
<p class="amount">${moneyText(check.amount, invoice.ccy, 'uk')}</p><p class="small">${check.id}</p></section>`
        : html`<h1>No such check</h1>`
    }</main>`;
    return sendPage(reply, { title: 'Fiscal check', kind: 'operator', body }, check ? 200 : 404);
  });

  app.setErrorHandler((error, request, reply) => {
    if (error instanceof NotPayable) return bad(reply, error.message, 409);
    if (error instanceof UnreadableBody) return bad(reply, error.message);
    const { statusCode = 500, message } = error as { statusCode?: number; message: string };
    if (statusCode < 500) return bad(reply, message, statusCode);
    request.log.error(error, 'bank request failed');
    return reply.code(500).send({ errCode: 'INTERNAL_ERROR', errText: 'internal server error' });
  });
}
