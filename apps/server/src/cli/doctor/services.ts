import * as z from 'zod/mini';
import type { Config } from '../../config/config.ts';
import type { BankAccount } from '../../payments/bank.ts';
import { bankAdapters } from '../../payments/banks.ts';
import { answerWithinMs, type Check, checksOf, reasonOf } from './check.ts';
import { clockCheck } from './database.ts';

/** The Date header of an answer has whole seconds, and the answer itself takes a while. */
const headerInexactMs = 1_500;
/** Some hundred messages, a day of a small network. */
const littleSmsMoney = 100;

async function ask(url: string, init: RequestInit = {}): Promise<{ status: number; json: unknown }> {
  const response = await fetch(url, { redirect: 'error', ...init, signal: AbortSignal.timeout(answerWithinMs) });
  return { status: response.status, json: await response.json().catch(() => null) };
}

/** How far the clock of the other side is ahead, from the Date header of its answer. */
function aheadOf(header: string | null): number | null {
  const date = Date.parse(header ?? '');
  return Number.isNaN(date) ? null : date + 500 - Date.now();
}

export async function checkBanks({ bank, seller }: Pick<Config, 'bank' | 'seller'>): Promise<Check[]> {
  const { account, former } = bank;
  const current = await checkBank('bank', account, seller);
  return former ? [...current, ...(await checkBank('former bank', former, seller))] : current;
}

async function checkBank(
  part: 'bank' | 'former bank',
  { provider, baseUrl, token }: BankAccount,
  seller: Config['seller'],
): Promise<Check[]> {
  const { ok, warning, failed } = checksOf(part);
  const setting = part === 'bank' ? 'BANK' : 'FORMER_BANK';
  try {
    const answer = await bankAdapters[provider].probe({ baseUrl, token, timeoutMs: answerWithinMs });
    if (answer.kind === 'token_refused')
      return [
        failed(`the bank refuses ${setting}_TOKEN`, 'Copy the token from the merchant cabinet of the bank again.'),
      ];
    if (answer.kind === 'unexpected')
      return [
        failed(`the bank answers ${answer.status}`, `Check ${setting}_URL; a maintenance of the bank ends by itself.`),
      ];
    const { merchant, edrpou, answeredAt } = answer;
    const checks = [ok(`the token belongs to ${merchant}`)];
    if (edrpou !== null && edrpou !== seller.edrpou)
      checks.push(
        warning(`the merchant's EDRPOU is ${edrpou}, receipts say ${seller.edrpou}`, 'Correct SELLER_EDRPOU.'),
      );
    const ahead = aheadOf(answeredAt);
    if (ahead !== null && Math.abs(ahead) > headerInexactMs) checks.push(clockCheck('the bank', ahead));
    return checks;
  } catch (error) {
    return [failed(`no answer: ${reasonOf(error)}`, `Check ${setting}_URL and that this machine may call it.`)];
  }
}

const Balance = z.object({
  response_code: z.number(),
  response_status: z.optional(z.string()),
  response_result: z.optional(z.nullable(z.object({ balance: z.number() }))),
});

export async function checkSms({ sms }: Pick<Config, 'sms'>): Promise<Check[]> {
  const { ok, warning, failed } = checksOf('SMS');
  try {
    const headers = { authorization: `Bearer ${sms.token}`, accept: 'application/json' };
    const { status, json } = await ask(`${sms.url}/user/balance.json`, { method: 'POST', headers });
    const read = Balance.safeParse(json);
    if (!read.success) return [failed(`the service answers ${status} and nothing readable`, 'Check SMS_URL.')];
    const { response_code: code, response_status: text, response_result: result } = read.data;
    if (code === 103 || code === 301)
      return [failed('the service refuses SMS_TOKEN', 'Copy the token from the cabinet of the SMS service again.')];
    if (code !== 0 || !result)
      return [failed(`the service answers ${code} ${text ?? ''}`, 'Look it up in the documents of the SMS service.')];
    const { balance } = result;
    const money = `${balance.toFixed(2)} UAH on the account`;
    if (balance <= 0) return [failed(money, 'Top the account up; until then no driver can sign up.')];
    return [balance < littleSmsMoney ? warning(money, 'Top the account up soon.') : ok(money)];
  } catch (error) {
    return [failed(`no answer: ${reasonOf(error)}`, 'Check SMS_URL and that this machine may call it.')];
  }
}

const Bot = z.object({ result: z.object({ username: z.string() }) });
const Hook = z.object({ result: z.object({ url: z.string(), last_error_message: z.optional(z.string()) }) });

export async function checkBot({ telegram, settings }: Pick<Config, 'telegram' | 'settings'>): Promise<Check[]> {
  const { ok, warning, failed } = checksOf('bot');
  if (telegram === null)
    return [warning('there is no bot', 'Set TELEGRAM_TOKEN from @BotFather, or leave it: drivers then get SMS only.')];
  const call = (method: string) => ask(`${telegram.apiRoot}/bot${telegram.token}/${method}`, { method: 'POST' });
  try {
    const me = await call('getMe');
    const read = Bot.safeParse(me.json);
    if (!read.success) {
      const isRefused = me.status === 401 || me.status === 404;
      return isRefused
        ? [failed('Telegram refuses TELEGRAM_TOKEN', 'Ask @BotFather for the token again.')]
        : [failed(`Telegram answers ${me.status}`, 'Check TELEGRAM_API_URL.')];
    }
    const { username } = read.data.result;
    const checks = [ok(`the bot is @${username}`)];
    if (!settings.bot_url.includes(username))
      checks.push(
        warning(`the app links to ${settings.bot_url}, not to this bot`, `Set BOT_URL=https://t.me/${username}`),
      );
    const hook = Hook.safeParse((await call('getWebhookInfo')).json);
    if (hook.success && !telegram.usesWebhook && hook.data.result.url !== '')
      checks.push(
        warning(
          `Telegram sends messages to ${hook.data.result.url}`,
          'Another server uses the bot; set TELEGRAM_UPDATES=webhook, or give each its own bot.',
        ),
      );
    if (hook.success && telegram.usesWebhook && hook.data.result.last_error_message)
      checks.push(
        warning(
          `Telegram could not deliver: ${hook.data.result.last_error_message}`,
          'Check that PUBLIC_URL is reachable from outside, or use polling.',
        ),
      );
    return checks;
  } catch (error) {
    return [failed(`no answer: ${reasonOf(error)}`, 'Allow calls to Telegram, or remove TELEGRAM_TOKEN.')];
  }
}
