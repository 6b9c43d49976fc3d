import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isKey } from '../ocpp/connections/charge-point-key.ts';
import { createAuthority } from '../ocpp/testing/certificates.ts';
import { openDatabase } from '../platform/database.ts';
import { bundledProgram } from '../testing/bundled-program.ts';
import { testDatabase } from '../testing/database.ts';

// Each command is a process that loads the server; a busy machine starts one in several seconds.
vi.setConfig({ testTimeout: 90_000 });

const secret = 'the same secret as the server has';
let database: Awaited<ReturnType<typeof testDatabase>>;
let folder: string;
/** The files with which the server ends TLS of charge points. */
let tls: Record<string, string> = {};

beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), 'fpay-cli-'));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

interface Ended {
  code: number;
  out: string;
  err: string;
}

async function command(name: string, ...words: string[]): Promise<Ended> {
  const program = await bundledProgram(new URL(`./${name}.ts`, import.meta.url));
  const env = {
    ...program.env,
    PATH: process.env.PATH,
    DATABASE_URL: database.appUrl,
    SECRET: secret,
    DATA_DIR: folder,
    ...tls,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [program.file, ...words], { cwd: folder, env }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });
}

describe('npm run charge-point', () => {
  it('adds a device and prints its password, which matches its hash in the database', async () => {
    const added = await command(
      'charge-point',
      'add',
      '--identity',
      'CP-1',
      '--station',
      'F1234',
      '--connector',
      'type2:22000:1050',
    );
    expect([added.code, added.err]).toEqual([0, '']);
    const { password, ...rest } = JSON.parse(added.out);
    expect(rest).toMatchObject({
      identity: 'CP-1',
      station: 'F1234',
      connectors: [{ api_address: '1', price: 10_50 }],
    });
    const { db, close } = openDatabase({ url: database.appUrl, poolSize: 1 });
    const row = await db.selectFrom('charge_points').select('key_hash').executeTakeFirstOrThrow();
    await close();
    expect(isKey(secret, row.key_hash, Buffer.from(password))).toBe(true);
    expect(JSON.parse((await command('charge-point', 'list')).out)).toMatchObject([
      { identity: 'CP-1', is_online: false },
    ]);
  });

  it('sets the security profile of a device, and no certificate is needed where the server takes none', async () => {
    const security = (identity: string, profile: string) =>
      command('charge-point', 'security', '--identity', identity, '--profile', profile);
    const [refused, unknown, wrong] = await Promise.all([
      security('CP-1', '3'),
      security('CP-0', '3'),
      security('CP-1', '4'),
    ]);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('OCPP_TLS_CLIENT_CA is not set')]);
    expect(unknown.err).toBe('there is no charge point CP-0\n');
    expect(wrong.err).toMatch(/--profile must be 1, 2 or 3/);

    const authority = createAuthority('Our authority');
    const { cert, key } = authority.server();
    tls = {
      OCPP_TLS_CERT: authority.write('server.pem', cert),
      OCPP_TLS_KEY: authority.write('server.key', key),
      OCPP_TLS_CLIENT_CA: authority.write('clients.pem', authority.cert),
    };
    expect((await security('CP-1', '3')).code).toBe(0);
    tls = {};
    authority.remove();
    const listed = JSON.parse((await command('charge-point', 'list')).out);
    expect(listed).toMatchObject([{ identity: 'CP-1', needs_certificate: true }]);
  });

  it('explains an error and shows the usage', async () => {
    const again = await command(
      'charge-point',
      'add',
      '--identity',
      'CP-1',
      '--station',
      'F1',
      '--connector',
      'type2:22000',
    );
    expect([again.code, again.err]).toEqual([1, 'there is already a charge point CP-1\n']);
    const misused = await command('charge-point', 'add', '--identity', 'CP-2');
    expect([misused.code, misused.err]).toEqual([2, expect.stringMatching(/^--station is missing\n\nUsage:/)]);
  });
});

describe('npm run stations', () => {
  it('imports a file and exports it again; bad rows are reported as FILE:LINE: REASON', async () => {
    const file = join(folder, 'in.csv');
    const head = 'number,address,address_uk,lat,lon,charge_point,connector,type,power,price';
    await writeFile(
      file,
      `${head}\nF2000,A St,вул. А,50,30,CP-9,1,nacs,150000,1800\nF2001,B St,вул. Б,north,30,,,,,\n`,
    );
    const taken = await command('stations', 'import', file);
    expect([taken.code, taken.out, taken.err]).toEqual([
      1,
      '{"written":1,"refused":1}\n',
      `${file}:3: lat: must be degrees\n`,
    ]);
    const none = await command('stations', 'import', file, '--all-or-nothing');
    expect(none.out).toBe('{"written":0,"refused":1}\n');
    const target = join(folder, 'out.json');
    await command('stations', 'export', target);
    const { stations } = JSON.parse(await readFile(target, 'utf8'));
    expect(stations.map(({ number }: { number: string }) => number)).toContain('F2000');
    expect(await command('stations', 'import', target)).toMatchObject({ code: 0, err: '' });
  });

  it('leaves one record in the audit for each change and each export, by the command line [ADM-OP-33]', async () => {
    const { db, close } = openDatabase({ url: database.appUrl, poolSize: 1 });
    const rows = await db
      .selectFrom('audit')
      .select(['actor', 'staff_id', 'action', 'after'])
      .where('action', 'like', 'network.%')
      .orderBy('id')
      .execute();
    const devices = db.selectFrom('audit').select('action').where('action', 'like', 'charge-point.%').orderBy('id');
    const actions = (await devices.execute()).map(({ action }) => action);
    await close();
    const byOperator = { actor: 'command line', staff_id: null };
    expect(rows).toEqual([
      { ...byOperator, action: 'network.import', after: { file: 'in.csv', written: 1 } },
      { ...byOperator, action: 'network.export', after: { format: '.json' } },
      { ...byOperator, action: 'network.import', after: { file: 'out.json', written: expect.any(Number) } },
    ]);
    expect(actions).toEqual(['charge-point.add', 'charge-point.secure']);
  });
});
