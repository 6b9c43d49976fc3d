import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from './database.ts';

test('a transaction that fails changes nothing, also when it is nested in another', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fpay-sandbox-'));
  const db = openDatabase(dataDir);
  onTestFinished(() => {
    db.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  db.schema('CREATE TABLE coins (value INTEGER NOT NULL) STRICT');
  const put = (value: number) => db.transaction(() => db.run('INSERT INTO coins VALUES (?)', value));
  put(1);
  expect(() =>
    db.transaction(() => {
      put(2);
      throw new Error('dropped');
    }),
  ).toThrow('dropped');
  expect(db.all('SELECT value FROM coins')).toEqual([{ value: 1 }]);
});
