import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { noMoney } from '../staff-money.ts';
import { Id, IdText, Instant } from '../wire.ts';

const access = ['access-admin-page', 'monitor-operations', 'monitor-users'] as const;

export const NoteSubject = z.enum(['user', 'operation']);
export type NoteSubject = z.infer<typeof NoteSubject>;

export const SupportNote = z.object({
  id: Id,
  staff: z.object({ id: Id, name: z.string() }),
  text: z.string(),
  created_at: Instant,
});
export type SupportNote = z.infer<typeof SupportNote>;

export const notes = endpoint({
  method: 'GET',
  path: '/api/admin/notes/:subject/:id',
  summary: 'Support notes on a user or an operation, newest first',
  access,
  params: z.object({ subject: NoteSubject, id: IdText }),
  reply: z.array(SupportNote),
  openInMaintenance: true,
});

export const addNote = endpoint({
  method: 'POST',
  path: '/api/admin/notes/:subject/:id',
  summary: 'Leave a note on a user or an operation; it also shows in the log',
  money: noMoney.person,
  access,
  params: z.object({ subject: NoteSubject, id: IdText }),
  body: z.object({ text: z.string().check(z.maxLength(2000), z.regex(/\S/, 'The note is required.')) }),
  reply: SupportNote,
  refusals: ['not_found'],
  openInMaintenance: true,
});
