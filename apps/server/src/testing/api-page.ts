import type { Endpoint } from '@fpay/contract/endpoint';
import { endpoints } from '@fpay/contract/endpoints';
import { refusals } from '@fpay/contract/refusals';
import { signatureMaxAgeMs } from '@fpay/contract/signature';

const code = (text: string) => `\`${text}\``;
/** A vertical line would end the cell of a table. */
const cell = (text: string) => text.replaceAll('|', '\\|');

/** Parts of the page, by the beginning of the path; the first that fits. */
const parts: readonly (readonly [title: string, path: RegExp])[] = [
  ['Sign-in and account', /^\/api\/(login|logout|guest|users?|otps?|restoration|return)(\/|$)/],
  ['Stations and map', /^\/api\/(station|map|link|promotions|connectors|alternatives|alerts)(\/|$)/],
  ['Charging', /^\/api\/(operation|payment|invoice|feedback|negotiate)(\/|$)/],
  ['Parties', /^\/api\/party\//],
  [
    'Back office: network',
    /^\/api\/admin\/(network|stations?|charge-points?|tariffs?|parties|cards|sites|codes|commissionings?|promotions)(\/|$)/,
  ],
  ['Back office', /^\/api\/admin\//],
  ['Other', /^\//],
];

/** docs/api.md, made from the contract. */
export function apiPage(): string {
  const groups = Map.groupBy(endpoints, ({ path }) => parts.find(([, own]) => own.test(path))?.[0] ?? 'Other');
  return [
    '# The API',
    '',
    'Made from `packages/contract`; `npm run api` writes it again and a test compares it. A running server has the same with every field at `/api/docs` and as OpenAPI at `/api/openapi.json` (`API_DOCS` says who may read them).',
    '',
    '## Calling it',
    '- Bodies and answers are JSON. Money is in kopecks, energy in watt-hours, power in watts, instants are ISO 8601 with an offset.',
    '- `GET /sanctum/csrf-cookie` sets `XSRF-TOKEN`. Each `POST`, `PATCH` and `DELETE` sends its value as `X-XSRF-TOKEN`; otherwise the answer is 419.',
    `- The body of such a call has a field \`signature\`: \`v1.<unix ms>.<nonce>.<mac>\`. The mac is the HMAC-SHA256 (base64url) with the XSRF token over method, path, time, nonce and the SHA-256 of the body without the field, as \`packages/contract/src/signature.ts\` joins them. It may be ${signatureMaxAgeMs / 60_000} minutes old.`,
    '- A nonce counts once. A repeated call that moves money (marked **€**) gets the first answer, so it is safe to send it again when no answer came.',
    '- A refusal is `{ "message", "code", "errors"? }` with one of the codes below. Besides those of its row, each call may answer `unauthenticated`, `forbidden`, `invalid_signature`, `signature_expired`, `invalid_input`, `too_many_attempts` (with `Retry-After`) and, during maintenance, 503; calls marked **○** are open then.',
    '',
    ...parts.flatMap(([title]) => sectionOf(title, groups.get(title) ?? [])),
    '## Refusals',
    '',
    '| code | status | text |',
    '|---|---|---|',
    ...Object.entries(refusals)
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([name, { status, message }]) => `| ${code(name)} | ${status} | ${cell(message)} |`),
    '',
  ].join('\n');
}

function sectionOf(title: string, calls: readonly Endpoint[]): string[] {
  if (calls.length === 0) return [];
  const rows = calls.toSorted(
    (one, other) => one.path.localeCompare(other.path) || one.method.localeCompare(other.method),
  );
  return [
    `## ${title}`,
    '',
    '| call | does | who may | refuses with |',
    '|---|---|---|---|',
    ...rows.map((call) => {
      const marks = `${call.movesMoney ? ' **€**' : ''}${call.openInMaintenance && !call.path.startsWith('/api/admin/') ? ' **○**' : ''}`;
      const who = typeof call.access === 'string' ? call.access : call.access.map(code).join(' ');
      return `| ${code(`${call.method} ${call.path}`)}${marks} | ${cell(call.summary)} | ${who} | ${call.refusals.map(code).join(' ')} |`;
    }),
    '',
  ];
}
