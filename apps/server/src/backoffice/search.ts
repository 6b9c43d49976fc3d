import type { Found } from '@fpay/contract/admin/search';
import { ReportCode } from '@fpay/contract/page-errors';
import { can, type Role } from '@fpay/contract/roles';
import { sql } from 'kysely';
import type { Database } from '../platform/database.ts';

const mostOfAKind = 6;

type Query = (text: string) => Promise<Found[]>;

/** Only the beginning of a LIKE pattern is searched for, so that its index is used; `%`, `_` and `\` are plain characters. */
const startsWith = (text: string) => `${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
const reversed = (text: string) => [...text].reverse().join('');

/** One field that finds anything staff have in their hands: an id, a number, a name, four digits of a card. */
export function createSearch(db: Database) {
  const operations: Query = async (text) => {
    if (!/^\d{1,15}$/.test(text)) return [];
    const { rows } = await sql<{ id: number; status: string; number: string; name: string }>`
      select o.id, o.status, s.number, u.name from operations o join stations s on s.id = o.station_id
        join users u on u.id = o.user_id where o.id = ${Number(text)}`.execute(db);
    return rows.map(({ id, status, number, name }) =>
      found('operation', id, `${id}`, `${status} · ${number} · ${name}`, { operation: id, station: number }),
    );
  };

  const users: Query = async (text) => {
    const digits = text.replace(/[\s()+-]/g, '');
    const isNumber = /^\d{3,16}$/.test(digits);
    const { rows } = await sql<{ id: number; name: string; phone_number: string; role: string }>`
      select * from (
        ${isNumber ? sql`(select id, name, phone_number, role from users where phone_number = ${`+${digits}`} or id = ${Number(digits)}) union` : sql``}
        ${isNumber ? sql`(select id, name, phone_number, role from users where reverse(phone_number) like ${startsWith(reversed(digits))} limit ${mostOfAKind}) union` : sql``}
        (select id, name, phone_number, role from users where lower(name) like ${startsWith(text.toLowerCase())} limit ${mostOfAKind})
      ) people order by id desc limit ${mostOfAKind}`.execute(db);
    return rows.map(({ id, name, phone_number, role }) =>
      found('user', id, name, `${maskedPhone(phone_number, digits)} · ${role}`, { user: id }),
    );
  };

  const stations: Query = async (text) => {
    const { rows } = await sql<{ id: number; number: string; address: string; address_uk: string }>`
      select id, number, address, address_uk from stations
      where number like ${startsWith(text.toUpperCase())} or lower(address) like ${`%${startsWith(text.toLowerCase())}`}
        or lower(address_uk) like ${`%${startsWith(text.toLowerCase())}`}
      order by number limit ${mostOfAKind}`.execute(db);
    return rows.map(({ id, number, address_uk }) => found('station', id, number, address_uk, { station: number }));
  };

  const chargePoints: Query = async (text) => {
    const { rows } = await sql<{ id: number; identity: string; vendor: string | null; number: string | null }>`
      select p.id, p.identity, p.vendor, (select s.number from connectors c join stations s on s.id = c.station_id
        where c.charge_point_id = p.id order by c.id limit 1) as number
      from charge_points p where lower(p.identity) like ${startsWith(text.toLowerCase())}
      order by p.identity limit ${mostOfAKind}`.execute(db);
    return rows.map(({ id, identity, vendor, number }) =>
      found('charge_point', id, identity, [number, vendor].filter(Boolean).join(' · '), { station: number }),
    );
  };

  const payments: Query = async (text) => {
    const isCardEnd = /^\d{4}$/.test(text);
    const { rows } = await sql<{
      id: number;
      operation_id: number | null;
      user_id: number;
      masked_pan: string | null;
      rrn: string | null;
      amount: number;
      hold_status: string;
    }>`
      select id, operation_id, user_id, masked_pan, rrn, amount, hold_status from (
        (select * from payments where invoice_id = ${text}) union
        (select * from payments where rrn = ${text})
        ${isCardEnd ? sql`union (select * from payments where right(masked_pan, 4) = ${text} order by id desc limit ${mostOfAKind})` : sql``}
      ) known order by id desc limit ${mostOfAKind}`.execute(db);
    return rows.map((row) => {
      const card = row.masked_pan === null ? '' : `•••• ${row.masked_pan.slice(-4)}`;
      const detail = [card, row.rrn === text ? `RRN ${text}` : '', row.hold_status].filter(Boolean).join(' · ');
      return found('payment', row.id, `${row.id}`, detail, { operation: row.operation_id, user: row.user_id });
    });
  };

  const cards: Query = async (text) => {
    const tag = text.toUpperCase().replace(/[^0-9A-Z]/g, '');
    if (tag.length < 4) return [];
    const { rows } = await sql<{ id: number; user_id: number; id_tag: string; name: string }>`
      select c.id, c.user_id, c.id_tag, u.name from rfid_cards c join users u on u.id = c.user_id
      where c.id_tag like ${startsWith(tag)} order by c.id_tag limit ${mostOfAKind}`.execute(db);
    return rows.map(({ id, user_id, name }) => found('rfid', id, `${tag}…`, name, { user: user_id }));
  };

  const pageErrors: Query = async (text) => {
    const code = text.toUpperCase().replace(/[\s-]/g, '');
    if (!ReportCode.safeParse(code).success) return [];
    const { rows } = await sql<{ path: string; message: string }>`
      select path, message from page_errors where code = ${code}`.execute(db);
    return rows.map(({ path, message }) => found('page_error', 1, code, `${path} · ${message}`, {}));
  };

  return async (typed: string, role: Role): Promise<Found[]> => {
    const text = typed.trim();
    if (text === '') return [];
    const queries: Query[] = [
      ...(can(role, 'monitor-operations') ? [operations, stations, chargePoints, payments, pageErrors] : []),
      ...(can(role, 'monitor-users') ? [users, cards] : []),
    ];
    const groups = await Promise.all(queries.map((query) => query(text)));
    return groups.flat();
  };
}

export type Search = ReturnType<typeof createSearch>;

function found(
  kind: Found['kind'],
  id: number,
  title: string,
  detail: string,
  opens: { operation?: number | null; user?: number; station?: string | null },
): Found {
  const { operation = null, user = null, station = null } = opens;
  return { kind, id, operation_id: operation, user_id: user, station, title, detail };
}

/** Only what was typed is shown of a number, beside its last two digits. */
function maskedPhone(phone: string, typed: string): string {
  const at = typed.length >= 3 ? phone.indexOf(typed) : -1;
  const shown = (index: number) =>
    index < 4 || index >= phone.length - 2 || (at >= 0 && index >= at && index < at + typed.length);
  return [...phone].map((sign, index) => (shown(index) ? sign : '•')).join('');
}
