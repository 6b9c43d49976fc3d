import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** A demo that runs for weeks must not fill the disk; with the previous file it is at most twice as much. */
const mostBytes = 20_000_000;
const rememberedLines = 15;

export interface LogFile {
  path: string;
  write(line: string): void;
  /** The latest lines, to show why a part ended. */
  latest(): string[];
  close(): void;
}

/** Everything that the parts of the demo print. The previous content is kept in a second file. */
export function openLogFile(path: string, limit = mostBytes): LogFile {
  mkdirSync(dirname(path), { recursive: true });
  const open = () => openSync(path, 'a', 0o600);
  let file = open();
  let size = fstatSync(file).size;
  const latest: string[] = [];

  return {
    path,
    write(line) {
      const bytes = Buffer.from(`${line}\n`);
      if (size > 0 && size + bytes.byteLength > limit) {
        closeSync(file);
        renameSync(path, `${path}.1`);
        file = open();
        size = 0;
      }
      writeSync(file, bytes);
      size += bytes.byteLength;
      latest.push(line);
      if (latest.length > rememberedLines) latest.shift();
    },
    latest: () => [...latest],
    close: () => closeSync(file),
  };
}
