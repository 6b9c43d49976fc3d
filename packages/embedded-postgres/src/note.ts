import { randomBytes } from 'node:crypto';
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Place } from './place.ts';
import { isCode } from './system-error.ts';

/** What the data directory knows of its cluster. Whoever removes the data directory removes this, and so the database. */
const Note = z.object({
  place: z.string(),
  /** Of the last start; tried first at the next one, so that a tool that was told the address keeps working. */
  port: z.nullable(z.int()),
  passwords: z.object({ postgres: z.string(), fpay_owner: z.string(), fpay_app: z.string() }),
});
export type Note = z.infer<typeof Note>;
export type Role = keyof Note['passwords'];

export function newNote(place: Place): Note {
  return {
    place: place.dir,
    port: null,
    passwords: { postgres: randomPassword(), fpay_owner: randomPassword(), fpay_app: randomPassword() },
  };
}

export async function readNote(place: Place): Promise<Note | null> {
  const file = fileOf(place);
  try {
    return refuseForeign(Note.parse(JSON.parse(await readFile(file, 'utf8'))), place);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    if (error instanceof SyntaxError || error instanceof z.core.$ZodError) {
      throw new Error(`${file} cannot be read as the note of the embedded database.`, { cause: error });
    }
    throw error;
  }
}

export async function writeNote(place: Place, note: Note): Promise<void> {
  const file = fileOf(place);
  // Renamed into place: a crash here must not leave half a note, which would lock us out of the data.
  await writeFile(`${file}.new`, `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600 });
  await chmod(`${file}.new`, 0o600);
  await rename(`${file}.new`, file);
}

export function urlOf(note: Note, role: Role, database: string): string {
  return `postgres://${role}:${note.passwords[role]}@127.0.0.1:${note.port}/${database}`;
}

/** An ordinary user's cluster moves with its data directory. Root's does not, and a copy must never share the original's. */
function refuseForeign(note: Note, place: Place): Note {
  if (note.place === place.dir) return note;
  if (!place.runAs && note.place.endsWith('/postgres')) return { ...note, place: place.dir };
  throw new Error(
    `The data directory ${place.home} has its database at ${note.place}, where this program would keep it at ${place.dir}: ` +
      'the directory was moved, copied or started by another user. Start it as before, or name another DATA_DIR.',
  );
}

const fileOf = (place: Place) => join(place.home, 'cluster.json');

/** Letters, digits, - and _ only: fits into an address as it is. */
const randomPassword = () => randomBytes(24).toString('base64url');
