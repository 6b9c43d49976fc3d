import type { Endpoint } from '@fpay/contract/endpoint';
import { isMutating } from '@fpay/contract/endpoint';
import { refusals } from '@fpay/contract/refusals';
import { version } from '@fpay/contract/settings';
import { type WebhookType, webhookBody, webhookEvents } from '@fpay/contract/webhook-events';
import { ErrorBody } from '@fpay/contract/wire';
import * as z from 'zod/mini';

type Paths = Record<string, Record<string, object>>;

/** The contract does not change while a process runs, and several servers in one process are usual in tests. */
const known = new WeakMap<readonly Endpoint[], Paths>();

/** Generates the API document from the contract, so that it cannot be out of date. */
export function openApiDocument(endpoints: readonly Endpoint[], brand: string): object {
  const paths = known.get(endpoints) ?? pathsOf(endpoints);
  known.set(endpoints, paths);
  return {
    openapi: '3.1.0',
    info: {
      title: `${brand} API`,
      version,
      description:
        'Sign in as a Sanctum client does: GET /sanctum/csrf-cookie, then send X-XSRF-TOKEN with each POST, PATCH and DELETE. ' +
        'Their bodies also carry `signature`: `v1.<unix ms>.<nonce>.<mac>`.',
    },
    paths,
    webhooks,
    components: { schemas: { Error: jsonSchema(ErrorBody) } },
  };
}

/** What endpoints of others receive: one call for each event. */
const webhooks = Object.fromEntries(
  (Object.keys(webhookEvents) as WebhookType[]).map((type) => [
    type,
    {
      post: {
        summary: webhookEvents[type].when,
        tags: ['webhooks'],
        parameters: ['FPay-Event-Id', 'FPay-Event-Type', 'FPay-Signature'].map((name) => ({
          name,
          in: 'header',
          required: true,
          schema: { type: 'string' },
        })),
        requestBody: {
          required: true,
          content: { 'application/json': { schema: jsonSchema(webhookBody(type), 'output') } },
        },
        responses: {
          '2XX': { description: 'Received. Any other status, and no answer within 10 seconds, is a failure.' },
        },
      },
    },
  ]),
);

function pathsOf(endpoints: readonly Endpoint[]): Paths {
  const paths: Paths = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][endpoint.method.toLowerCase()] = operationOf(endpoint);
  }
  return paths;
}

function operationOf(endpoint: Endpoint): object {
  return {
    summary: endpoint.summary,
    tags: [endpoint.path.split('/')[2] ?? 'api'],
    'x-access': endpoint.access,
    parameters: [...parametersOf('path', endpoint.params), ...parametersOf('query', endpoint.query)],
    ...(isMutating(endpoint.method) ? { requestBody: requestBodyOf(endpoint) } : {}),
    responses: { ...successOf(endpoint), ...refusalsOf(endpoint) },
  };
}

function successOf({ reply, produces }: Endpoint): Record<string, object> {
  if (produces !== null) return { 200: { description: 'OK', content: { [produces]: {} } } };
  if (!reply) return { 204: { description: 'Done' } };
  return { 200: { description: 'OK', content: { 'application/json': { schema: jsonSchema(reply, 'output') } } } };
}

function refusalsOf(endpoint: Endpoint): Record<string, object> {
  const own = endpoint.refusals.map((code) => ({ status: refusals[code].status, text: refusals[code].message }));
  const byStatus = Map.groupBy(own, ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      status,
      {
        description: list.map(({ text }) => text).join(' · '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

function requestBodyOf({ body }: Endpoint): object {
  const schema = body ? jsonSchema(body) : { type: 'object', properties: {} };
  const { properties = {}, required = [] } = schema as { properties?: object; required?: string[] };
  const signed = {
    ...schema,
    properties: { ...properties, signature: { type: 'string' } },
    required: [...required, 'signature'],
  };
  return { required: true, content: { 'application/json': { schema: signed } } };
}

function parametersOf(place: 'path' | 'query', schema: z.core.$ZodType | undefined): object[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema) as { properties?: object; required?: string[] };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function jsonSchema(schema: z.core.$ZodType, io: 'input' | 'output' = 'input'): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
