import Fastify, { type FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { typicalCar } from '../car.ts';
import { type ChargePoint, NotPossible } from '../charge-point.ts';
import { isScenario, scenarioNames } from '../scenario.ts';
import { page } from './page.ts';

/** An expected refusal for the user of the page or the API. */
class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const Tap = z.object({ card: z.string().check(z.trim(), z.minLength(1), z.maxLength(20)) });
const Scenario = z.object({ scenario: z.string() });
/** All fields are optional; without them a random car is used. */
const Plug = z.object({
  soc: z.optional(z.number().check(z.gte(0), z.lte(100))),
  battery_wh: z.optional(z.int().check(z.gte(1_000), z.lte(2_000_000))),
  /** The car is behind a passive adapter, so the charge point does not detect it before it charges. */
  adapter: z.optional(z.boolean()),
});

/** API and page with which a person or a test acts as driver and causes faults. For loopback only. */
export function createControlServer(chargePoints: () => ReadonlyMap<string, ChargePoint>): FastifyInstance {
  const app = Fastify({ bodyLimit: 16 * 1024 });

  // A POST without a body is accepted with any content type.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_, body, done) => {
    try {
      done(null, body === '' ? {} : JSON.parse(body.toString()));
    } catch {
      done(new Refused(400, 'The body is not JSON'), undefined);
    }
  });

  app.setErrorHandler((error: Error & { statusCode?: number }, _, reply) => {
    const known = error instanceof Refused ? error.status : error instanceof NotPossible ? 409 : error.statusCode;
    if (known === undefined || known >= 500) console.error(error);
    return reply.status(known ?? 500).send({ message: known === undefined ? 'Something broke' : error.message });
  });
  app.setNotFoundHandler((_, reply) => reply.status(404).send({ message: 'No such address' }));

  app.get('/', (_, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'self'; style-src 'unsafe-inline'; script-src 'unsafe-inline'")
      .send(page),
  );
  app.get('/scenarios', () => scenarioNames);
  app.get('/charge-points', () => Array.from(chargePoints().values(), (chargePoint) => chargePoint.view()));

  app.get('/charge-points/:identity', ({ params }) => find(params).chargePoint.view());
  app.post('/charge-points/:identity/scenario', ({ params, body }) => {
    const { chargePoint } = find(params);
    const { scenario } = parse(Scenario, body);
    if (!isScenario(scenario)) throw new Refused(422, `No scenario ${scenario}; there are ${scenarioNames.join(', ')}`);
    chargePoint.setScenario(scenario);
    return chargePoint.view();
  });
  app.post('/charge-points/:identity/tap', async ({ params, body }) => {
    const { chargePoint } = find(params);
    return { outcome: await chargePoint.tap(parse(Tap, body).card) };
  });
  app.post('/charge-points/:identity/connectors/:connector/tap', async ({ params, body }) => {
    const { chargePoint, connectorId } = findConnector(params);
    return { outcome: await chargePoint.tap(parse(Tap, body).card, connectorId) };
  });
  app.post('/charge-points/:identity/connectors/:connector/plug', ({ params, body }) => {
    const { chargePoint, connectorId } = findConnector(params);
    const { soc, battery_wh, adapter = false } = parse(Plug, body ?? {});
    const isGiven = soc !== undefined || battery_wh !== undefined;
    const car = isGiven
      ? { ...typicalCar(soc), ...(battery_wh === undefined ? {} : { batteryWh: battery_wh }) }
      : undefined;
    chargePoint.plug(connectorId, { car, isHidden: adapter });
    return chargePoint.view();
  });
  app.post('/charge-points/:identity/connectors/:connector/unplug', ({ params }) => {
    const { chargePoint, connectorId } = findConnector(params);
    chargePoint.unplug(connectorId);
    return chargePoint.view();
  });

  function find(params: unknown): { chargePoint: ChargePoint } {
    const { identity } = params as { identity: string };
    const chargePoint = chargePoints().get(identity);
    if (chargePoint === undefined) throw new Refused(404, `No charge point ${identity}`);
    return { chargePoint };
  }

  function findConnector(params: unknown): { chargePoint: ChargePoint; connectorId: number } {
    const { chargePoint } = find(params);
    const { connector } = params as { connector: string };
    const found = chargePoint.connectors.find(({ spec }) => String(spec.id) === connector);
    if (found === undefined) throw new Refused(404, `${chargePoint.identity} has no connector ${connector}`);
    return { chargePoint, connectorId: found.spec.id };
  }

  return app;
}

function parse<Shape extends z.ZodMiniType>(shape: Shape, body: unknown): z.infer<Shape> {
  const result = z.safeParse(shape, body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Refused(422, `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'invalid'}`);
}
