import type { CardItem } from '@fpay/contract/admin/network/cards';
import type { Database } from '../../platform/database.ts';
import { maskedTag } from '../../rfid/card.ts';

export interface CardFilter {
  /** The end of a number. */
  q: string;
  before: number | null;
  limit: number;
}

export type CardViews = (filter: CardFilter) => Promise<CardItem[]>;

/** Cards as staff see them: the number stays masked, because it is all that a copy of a card needs. */
export function createCardViews(db: Database): CardViews {
  return async ({ q, before, limit }) => {
    const end = q.replaceAll(/[^0-9a-z]/gi, '').toUpperCase();
    const rows = await db
      .selectFrom('rfid_cards')
      .leftJoin('users', 'users.id', 'rfid_cards.user_id')
      .select(['rfid_cards.id', 'id_tag', 'user_id', 'users.name', 'blocked_at', 'rfid_cards.created_at'])
      .$if(end !== '', (query) => query.where('id_tag', 'like', `%${end}`))
      .$if(before !== null, (query) => query.where('rfid_cards.id', '<', before ?? 0))
      .orderBy('rfid_cards.id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(({ id, id_tag, user_id, name, blocked_at, created_at }) => ({
      id,
      number: maskedTag(id_tag),
      user: user_id === null ? null : { id: user_id, name: name?.trim() || null },
      is_blocked: blocked_at !== null,
      created_at: created_at.toISOString(),
    }));
  };
}
