import { randomBytes } from 'node:crypto';
import type { OperationStatus } from '@fpay/contract/charging';
import { kopecks } from '@fpay/contract/money';
import type { Role } from '@fpay/contract/roles';
import { networkFixture } from '../../stations/testing/network.ts';
import { startTestServer, type TestServerOptions } from '../../testing/server.ts';
import { network } from '../../wallet/transfer.ts';

/** A charge in the past, as far as figures care. */
export interface PastCharge {
  user: number;
  station: { id: number; chargePointId: number; connectorIds: number[] };
  at: Date;
  energyWh: number;
  price?: number;
  status?: OperationStatus;
}

/** The code of a refusal. */
export const refusalCodeOf = ({ body }: { body: unknown }) => (body as { code?: string } | null)?.code;

/** The whole server with parties, members, stations and money as tests need them. */
export async function startPartyServer(options: TestServerOptions = {}) {
  const server = await startTestServer(options);
  const { db, steps, wallet, ledger } = server;
  const fixture = networkFixture(db, steps, { now: () => new Date('2026-01-01T00:00:00Z') });
  let count = 0;

  /** Without the sign-in itself, whose limit for each address would stop a test of many users. */
  async function signedIn(role: Role = 'User') {
    const user = await server.addUser(role);
    const device = { ip: '127.0.0.1', userAgent: 'test' };
    const { token, csrfToken } = await server.sessions.issue({ id: user.id, role }, device, null);
    const client = server.client();
    client.jar.set('fpay_session', token);
    client.jar.set('XSRF-TOKEN', csrfToken);
    return { client, id: user.id, phone: user.phone };
  }

  return {
    ...server,
    signedIn,
    party: server.features.party,
    station: fixture.station,

    async give(user: number, amount: number): Promise<void> {
      const holder = await ledger.holder(user);
      if (!holder) throw new Error(`there is no user ${user}`);
      count += 1;
      const transfer = { key: `test:${count}`, kind: 'admin', from: network.staff, to: holder.wallet } as const;
      await steps.run((step) => wallet.transfer(step, [{ ...transfer, amount: kopecks(amount) }]));
    },

    /** From the owner of a closed party, so it is the party's money from then on. */
    async ownerGives(owner: number, member: number, amount: number): Promise<void> {
      count += 1;
      const viewer = { id: owner, role: 'User' } as const;
      await server.features.party.owner.give(viewer, [member], kopecks(amount), `owner-gives-${count}`);
    },

    /** The parts of the wallet that a user uses. */
    async partsOf(user: number): Promise<{ own: number; party: number }> {
      const holder = await ledger.holder(user);
      if (!holder) throw new Error(`there is no user ${user}`);
      return { own: holder.balance - holder.partyBalance, party: holder.partyBalance };
    },

    balanceOf: (user: number) => wallet.balanceOf(user),

    async join(party: number, user: number, at = new Date('2026-01-01T00:00:00Z')): Promise<void> {
      await db.insertInto('party_members').values({ party_id: party, user_id: user, joined_at: at }).execute();
    },

    /** A party with its owner and members, all signed in. */
    async partyOf({
      isClosed,
      members = 2,
      name = 'Green park',
    }: {
      isClosed: boolean;
      members?: number;
      name?: string;
    }) {
      const owner = await signedIn();
      const { id } = await db
        .insertInto('parties')
        .values({ name, owner_id: owner.id, is_closed: isClosed, created_at: new Date() })
        .returning('id')
        .executeTakeFirstOrThrow();
      await this.join(id, owner.id);
      const people: (typeof owner)[] = [];
      for (let index = 0; index < members; index += 1) {
        const member = await signedIn();
        await this.join(id, member.id);
        people.push(member);
      }
      const [first = owner, second = owner] = people;
      return { id, owner, members: people, member: first, other: second };
    },

    async charge({ user, station, at, energyWh, price = 15_00, status = 'finished' }: PastCharge): Promise<number> {
      const connector = station.connectorIds[0] ?? 0;
      const total = Math.round((energyWh * price) / 1000);
      const { id } = await db
        .insertInto('operations')
        .values({
          user_id: user,
          station_id: station.id,
          connector_id: connector,
          charge_point_id: station.chargePointId,
          status,
          payment_type: price === 0 ? 'free' : 'bank',
          target: 'kwh',
          price,
          deposit: total,
          total,
          energy_wh: energyWh,
          id_tag: randomBytes(10).toString('hex').toUpperCase(),
          created_at: at,
          closed_at: new Date(at.getTime() + 3_600_000),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },
  };
}

export type PartyServer = Awaited<ReturnType<typeof startPartyServer>>;
