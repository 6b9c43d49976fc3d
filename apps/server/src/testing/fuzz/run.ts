import { signIn } from '@fpay/contract/account';
import { type Endpoint, isMutating } from '@fpay/contract/endpoint';
import { endpoints } from '@fpay/contract/endpoints';
import { type Role, roles } from '@fpay/contract/roles';
import type { Client } from '../client.ts';
import type { TestServer } from '../server.ts';
import { createDice, type Dice } from './dice.ts';
import { hostileBodies, hostileSegments } from './hostile.ts';
import { createValues, type Values } from './values.ts';

export interface FuzzFault {
  role: string;
  call: string;
  /** The request as JSON, shortened. */
  sent: string;
  status: number;
  answer: string;
}

export interface FuzzOptions {
  seed: number;
  /** How often each call is made for each role and kind of input. */
  rounds: number;
  /** Which part of the calls each role makes, 1 for all. */
  share: number;
  /** Ids, phone numbers and station numbers that exist in the database. */
  known: readonly unknown[];
}

type Caller = Role | 'visitor';
const callers: readonly Caller[] = ['visitor', ...roles];
const kinds = ['valid', 'nearly valid', 'nearly valid', 'hostile'] as const;

/** What an answer must not contain: places in code, queries, messages of the database. */
const leak =
  /\bat \S+ \(|node_modules|\.ts:\d+|\bselect\b.+\bfrom\b|\binsert into\b|\bdelete from\b|violates|byte sequence|near "|relation "/i;

/**
 * Calls every declared endpoint as every role, signed as the page signs, and returns the calls that answered 5xx or
 * disclosed internals.
 */
export async function fuzz(server: TestServer, options: FuzzOptions): Promise<{ calls: number; faults: FuzzFault[] }> {
  const faults: FuzzFault[] = [];
  let calls = 0;

  function judge(role: string, call: string, sent: unknown, answer: { status: number; body: unknown }): void {
    calls += 1;
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    if (answer.status < 500 && !(answer.status >= 400 && leak.test(text))) return;
    const shown = typeof sent === 'string' ? sent : JSON.stringify(sent);
    faults.push({ role, call, sent: shown.slice(0, 400), status: answer.status, answer: text.slice(0, 400) });
  }

  /** Each call has its own address, because the limits per address are tested elsewhere. */
  const headersOf = (dice: Dice) => ({
    'x-forwarded-for': `10.${dice.upTo(255)}.${dice.upTo(255)}.${dice.upTo(255)}`,
  });

  async function enter(caller: Caller, dice: Dice): Promise<Client> {
    const client = server.client();
    if (caller === 'visitor') return client;
    const user = await server.addUser(caller === 'Banned' ? 'User' : caller);
    const body = { phone_number: user.phone, password: user.password };
    const { status } = await client.call(signIn, { body }, { headers: headersOf(dice) });
    if (status !== 200) throw new Error(`sign-in for the fuzzer answered ${status}`);
    if (caller === 'Banned') {
      await server.db.updateTable('users').set({ role: 'Banned' }).where('id', '=', user.id).execute();
    }
    return client;
  }

  async function callAs(caller: Caller, dice: Dice): Promise<void> {
    const values = createValues(dice, options.known);
    let client = await enter(caller, dice);
    for (const endpoint of endpoints.filter(() => dice.chance(options.share))) {
      for (const kind of hasInput(endpoint) ? kinds : (['valid'] as const)) {
        for (let round = 0; round < options.rounds; round += 1) {
          const { url, body } = inputFor(endpoint, kind, dice, values);
          const session = client.jar.get('XSRF-TOKEN');
          const answer = isMutating(endpoint.method)
            ? await client.mutate(endpoint.method, url, body, { headers: headersOf(dice) })
            : await client.get(url, headersOf(dice));
          judge(caller, `${endpoint.method} ${url.slice(0, 200)}`, body, answer);
          // A call that signed in or out, or deleted the account, must not change the user of the next call.
          const isChanged = session !== undefined && client.jar.get('XSRF-TOKEN') !== session;
          if (caller !== 'visitor' && (isChanged || answer.status === 401 || answer.status === 419)) {
            client = await enter(caller, dice);
          }
        }
      }
    }
  }

  /** Bodies that are not signed objects, and addresses that no client would build. */
  async function callRaw(dice: Dice): Promise<void> {
    const client = await enter('User', dice);
    const mutating = endpoints.filter(({ method }) => isMutating(method));
    for (const body of hostileBodies) {
      const { method, path } = dice.pick(mutating);
      const headers = { ...headersOf(dice), 'x-xsrf-token': client.jar.get('XSRF-TOKEN') ?? '' };
      judge('User', `${method} ${path}`, body, await client.send(method, path.replace(/:\w+/g, '1'), body, headers));
    }
    const prefixes = ['/', '/api/', '/api/link/', '/qr/', '/station/', '/sanctum/', '/realtime?token=', '/api/docs/'];
    for (const prefix of prefixes) {
      for (const segment of hostileSegments) {
        judge('User', `GET ${prefix}${segment.slice(0, 100)}`, '', await client.get(prefix + segment, headersOf(dice)));
      }
    }
  }

  const works = callers.map((caller, index) => () => callAs(caller, createDice(options.seed + index)));
  await Promise.all([...works, () => callRaw(createDice(options.seed + callers.length))].map((work) => work()));
  return { calls, faults };
}

function hasInput({ path, query, body }: Endpoint): boolean {
  return path.includes(':') || query !== undefined || body !== undefined;
}

function inputFor(endpoint: Endpoint, kind: (typeof kinds)[number], dice: Dice, values: Values) {
  const params = (endpoint.params ? values.valid(endpoint.params) : {}) as Record<string, unknown>;
  // The body is not read when the path is wrong, so most calls with a body have a valid path.
  const hasHostilePath = kind !== 'valid' && dice.chance(endpoint.body ? 0.2 : 0.7);
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    hasHostilePath ? dice.pick(hostileSegments) : encoded(params[name]),
  );
  const query = part(endpoint.query, kind, values);
  const search = Object.entries(query)
    .map(([name, value]) => `${name}=${kind === 'hostile' ? dice.pick(hostileSegments) : encoded(value)}`)
    .join('&');
  return { url: search ? `${path}?${search}` : path, body: part(endpoint.body, kind, values) };
}

function part(schema: Endpoint['body'], kind: (typeof kinds)[number], values: Values): Record<string, unknown> {
  if (!schema) return {};
  if (kind === 'hostile') return values.hostile(schema);
  const right = values.valid(schema);
  return (kind === 'valid' ? right : values.nearlyValid(right)) as Record<string, unknown>;
}

/** Halves of surrogate pairs cannot be encoded; an address has the replacement character instead. */
function encoded(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return encodeURIComponent(text.toWellFormed()) || '%20';
}
