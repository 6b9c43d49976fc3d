import { parseArgs } from 'node:util';
import { type ChargePointRegistry, createChargePointRegistry, readConnector } from '../network/charge-points.ts';
import { RowRefused } from '../network/writer.ts';
import { setNeedsCertificate } from '../ocpp/connections/certificate-need.ts';
import { findChargePoint } from '../ocpp/connections/charge-points.ts';
import { type OpenNetwork, withNetwork } from './open-network.ts';
import { run, UsageError } from './run.ts';

const usage = `Usage:
  npm run charge-point -- add --identity ID --station F1234 --connector TYPE:WATTS[:KOPECKS] [--connector …]
                              [--address TEXT] [--address-uk TEXT] [--lat DEGREES] [--lon DEGREES]
  npm run charge-point -- password --identity ID
  npm run charge-point -- security --identity ID --profile 1|2|3
  npm run charge-point -- list`;

const options = {
  identity: { type: 'string' },
  station: { type: 'string' },
  connector: { type: 'string', multiple: true, default: [] as string[] },
  address: { type: 'string' },
  'address-uk': { type: 'string' },
  lat: { type: 'string' },
  lon: { type: 'string' },
  profile: { type: 'string' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>['values'];

function needed(name: 'identity' | 'station', values: Values): string {
  const value = values[name];
  if (!value) throw new UsageError(`--${name} is missing`);
  return value;
}

function degrees(name: 'lat' | 'lon', values: Values): number | undefined {
  const value = values[name];
  if (value === undefined) return undefined;
  const most = name === 'lat' ? 90 : 180;
  if (!/^-?\d+(\.\d+)?$/.test(value) || Math.abs(Number(value)) > most)
    throw new UsageError(`--${name} must be degrees`);
  return Number(value);
}

function addition(values: Values) {
  const given = {
    identity: needed('identity', values),
    station: needed('station', values),
    connectors: (values.connector ?? []).map(readConnector),
    address: values.address,
    addressUk: values['address-uk'],
    lat: degrees('lat', values),
    lon: degrees('lon', values),
  };
  return (registry: ChargePointRegistry): Promise<unknown> => registry.add(given);
}

function renewal(values: Values) {
  const identity = needed('identity', values);
  return (registry: ChargePointRegistry): Promise<unknown> => registry.renewKey(identity);
}

/** Profile 3 needs a certificate; 1 and 2 need the password, without and with TLS. */
function security(values: Values) {
  const identity = needed('identity', values);
  const profile = Number(values.profile);
  if (profile !== 1 && profile !== 2 && profile !== 3) throw new UsageError('--profile must be 1, 2 or 3');
  return async (_: ChargePointRegistry, { db, steps, audit, takesCertificates }: OpenNetwork): Promise<unknown> => {
    const id = await findChargePoint(db, identity);
    if (id === null) throw new RowRefused(`there is no charge point ${identity}`);
    const need = { isNeeded: profile === 3, takesCertificates };
    await steps.run(async (step) => {
      const { wasNeeded } = await setNeedsCertificate(step, id, need);
      if (wasNeeded === need.isNeeded) return;
      await audit(step, {
        staff: null,
        by: 'command line',
        action: 'charge-point.secure',
        subject: { kind: 'charge-point', id },
        before: { needs_certificate: wasNeeded },
        after: { needs_certificate: need.isNeeded },
      });
    });
    return { identity, profile };
  };
}

type Work = (registry: ChargePointRegistry, network: OpenNetwork) => Promise<unknown>;
/** Each reads its options before anything is opened. */
const verbs: Record<string, (values: Values) => Work> = {
  add: addition,
  password: renewal,
  security,
  list: () => (registry) => registry.list(),
};

await run(usage, async () => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const [verb = '', ...rest] = positionals;
  const prepare = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (!prepare || rest.length > 0) throw new UsageError('No command given');
  const work = prepare(values);
  const answer = await withNetwork(process.env, (network) => work(createChargePointRegistry(network), network));
  console.log(JSON.stringify(answer, null, 2));
  return 0;
});
