import * as z from 'zod/mini';
import type { Clock } from '../../platform/clock.ts';
import { callOutside, type OutsidePolicy, refusedUrl } from '../../platform/outside/outside-call.ts';
import type { SecretBox } from '../../platform/outside/secret-box.ts';
import type { Step, Steps } from '../../platform/step.ts';
import { invalidParameter, OcpiError, ocpiCodes } from './answer.ts';
import type { OcpiIdentity } from './identity.ts';
import { hashOfToken, newOcpiToken, type OcpiPartner, previousTokenMs } from './partners.ts';

/** Each of the two calls of a registration; the partner waits for both. */
const timeoutMs = 10_000;
const mostBytes = 256 * 1024;

const Credentials = z.object({
  token: z.string().check(z.regex(/^[\x21-\x7e]{1,64}$/)),
  url: z.url({ protocol: /^https?$/ }).check(z.maxLength(255)),
  roles: z.array(z.object({ role: z.string(), party_id: z.string(), country_code: z.string() })).check(z.minLength(1)),
});
type Credentials = z.infer<typeof Credentials>;

const Versions = z.object({ data: z.array(z.object({ version: z.string(), url: z.string() })) });
const Details = z.object({
  data: z.object({
    endpoints: z.array(z.object({ identifier: z.string(), role: z.optional(z.string()), url: z.string() })),
  }),
});

interface Dependencies {
  steps: Steps;
  clock: Clock;
  box: SecretBox;
  policy: OutsidePolicy;
  identity: OcpiIdentity;
  versionsUrl: string;
  brand: string;
}

export interface OcpiHandshake {
  /** Our side as the partner sees it, with the token that it uses. */
  credentials(token: string): object;
  /** Registers a partner, or with `isUpdate` changes a registration; the answer has the partner's next token. */
  register(partner: OcpiPartner, body: unknown, isUpdate: boolean): Promise<object>;
  end(partner: OcpiPartner): Promise<void>;
}

const wrongState = (message: string) => new OcpiError(405, ocpiCodes.clientError, message);

export function createOcpiHandshake(given: Dependencies): OcpiHandshake {
  const { steps, clock, box, policy, identity, versionsUrl, brand } = given;

  const credentials = (token: string) => ({
    token,
    url: versionsUrl,
    roles: [
      {
        role: 'CPO',
        business_details: { name: brand },
        party_id: identity.partyId,
        country_code: identity.countryCode,
      },
    ],
  });

  async function read<Schema extends z.core.$ZodType>(
    schema: Schema,
    url: string,
    token: string,
  ): Promise<z.core.output<Schema>> {
    const unusable = (why: string) => new OcpiError(200, ocpiCodes.unusableApi, `${why} at ${url.slice(0, 255)}`);
    if (refusedUrl(url, policy) !== null) throw unusable('No public https address');
    const headers = { authorization: `Token ${Buffer.from(token).toString('base64')}`, accept: 'application/json' };
    const answer = await callOutside({ method: 'GET', url, headers, timeoutMs, mostBytes }, policy).catch(() => null);
    if (answer === null || answer.status !== 200) throw unusable('No answer');
    const parsed = z.safeParse(schema, jsonOf(answer.body));
    if (!parsed.success) throw unusable('No readable answer');
    return parsed.data;
  }

  async function endpointsOf({ token, url }: Credentials): Promise<object[]> {
    const { data: versions } = await read(Versions, url, token);
    const ours = versions.find(({ version }) => version === '2.2.1');
    if (!ours) throw new OcpiError(200, ocpiCodes.unsupportedVersion, 'We speak 2.2.1');
    const { data } = await read(Details, ours.url, token);
    if (!data.endpoints.some(({ identifier }) => identifier === 'credentials')) {
      throw new OcpiError(200, ocpiCodes.noMatchingEndpoints, 'The module credentials is missing');
    }
    return data.endpoints;
  }

  function parse(partner: OcpiPartner, body: unknown): Credentials {
    const parsed = z.safeParse(Credentials, body);
    if (!parsed.success) throw invalidParameter('These are no credentials: token, url and roles are needed');
    const isAgreed = ({ party_id, country_code }: Credentials['roles'][number]) =>
      party_id.toUpperCase() === partner.partyId && country_code.toUpperCase() === partner.countryCode;
    if (!parsed.data.roles.every(isAgreed)) throw invalidParameter('The roles name a party that was not agreed on');
    return parsed.data;
  }

  /** The calls to the partner took a while, so its state is checked again; one of two registrations at once wins. */
  async function lock(step: Step, { id, token }: OcpiPartner, isUpdate: boolean): Promise<Buffer> {
    const row = await step.db
      .selectFrom('ocpi_partners')
      .select(['status', 'token_hash'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (row.status !== (isUpdate ? 'registered' : 'invited'))
      throw wrongState('The registration has changed meanwhile');
    const hash = hashOfToken(token);
    if (!row.token_hash?.equals(hash)) throw new OcpiError(401, ocpiCodes.clientError, 'This token was replaced');
    return hash;
  }

  return {
    credentials,

    async register(partner, body, isUpdate) {
      if (partner.status === 'fixed') throw wrongState('This token needs no registration');
      if (isUpdate !== (partner.status === 'registered')) {
        throw wrongState(isUpdate ? 'Not registered: use POST' : 'Registered already: use PUT');
      }
      const theirs = parse(partner, body);
      const endpoints = await endpointsOf(theirs);
      const token = newOcpiToken();
      await steps.run(async (step) => {
        const hash = await lock(step, partner, isUpdate);
        const now = clock.now();
        await step.db
          .updateTable('ocpi_partners')
          .set({
            status: 'registered',
            token_hash: hashOfToken(token),
            // The token of an invitation is void at once, as the specification says.
            previous_hash: isUpdate ? hash : null,
            previous_until: isUpdate ? new Date(now.getTime() + previousTokenMs) : null,
            their_token: box.seal(theirs.token),
            versions_url: theirs.url,
            endpoints: JSON.stringify(endpoints),
            registered_at: now,
          })
          .where('id', '=', partner.id)
          .execute();
      });
      return credentials(token);
    },

    async end(partner) {
      if (partner.status !== 'registered') throw wrongState('Not registered');
      await steps.run(async (step) => {
        const ended = {
          status: 'ended' as const,
          token_hash: null,
          previous_hash: null,
          previous_until: null,
          their_token: null,
        };
        await step.db
          .updateTable('ocpi_partners')
          .set(ended)
          .where('id', '=', partner.id)
          .where('status', '=', 'registered')
          .execute();
      });
    },
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
