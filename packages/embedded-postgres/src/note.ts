import { randomBytes } from 'node:crypto';
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { ClusterPlace } from './place.ts';
import { isCode } from './system-error.ts';

/**
 * What the data directory stores about its cluster. Removing the data directory removes this note, and thereby the
 * database.
 */
const Note = z.object({
  place: z.string(),
  /** The port of the last start. The next start tries it first, so that a tool that uses the address keeps working. */
  port: z.nullable(z.int()),
  passwords: z.object({ postgres: z.string(), fpay_owner: z.string(), fpay_app: z.string() }),
});
export type Note = z.infer<typeof Note>;
export type ClusterRole = keyof Note['passwords'];

export function newNote(place: ClusterPlace): Note {
  return {
    place: place.dir,
    port: null,
    passwords: { postgres: randomPassword(), fpay_owner: randomPassword(), fpay_app: randomPassword() },
  };
}

export async function readNote(place: ClusterPlace): Promise<Note | null> {
  const file = fileOf(place);
  try {
    return refuseForeign(Note.parse(JSON.parse(await readFile(file, 'utf8'))), place);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    if (error instanceof SyntaxError || error instanceof z.core.$ZodError) {
      throw new Error(`${file} is not a valid note of the embedded database.`, { cause: error });
    }
    throw error;
  }
}

export async function writeNote(place: ClusterPlace, note: Note): Promise<void> {
  const file = fileOf(place);
  // The file is renamed into place, because a crash must not leave half a note, without which the data could not be
  // opened.
  await writeFile(`${file}.new`, `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600 });
  await chmod(`${file}.new`, 0o600);
  await rename(`${file}.new`, file);
}

export function urlOf(note: Note, role: ClusterRole, database: string): string {
  return `postgres://${role}:${note.passwords[role]}@127.0.0.1:${note.port}/${database}`;
}

/**
 * The cluster of an ordinary user moves with its data directory. The cluster of root does not, and a copy of the data
 * directory must never share the original's cluster.
 */
function refuseForeign(note: Note, place: ClusterPlace): Note {
  if (note.place === place.dir) return note;
  if (!place.runAs && note.place.endsWith('/postgres')) return { ...note, place: place.dir };
  throw new Error(
    `The data directory ${place.home} has its database at ${note.place}, where this program would keep it at ${place.dir}: ` +
      'the directory was moved, copied or started by another user. Start it as before, or name another DATA_DIR.',
  );
}

const fileOf = (place: ClusterPlace) => join(place.home, 'cluster.json');

/** The password has only letters, digits, - and _, so it needs no escaping in a URL. */
const randomPassword = () => randomBytes(24).toString('base64url');
