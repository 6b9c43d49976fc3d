import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { approvalKinds } from '@fpay/contract/admin/approvals';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { OutcomeHandlers } from '../ocpp/commands/service.ts';
import type { Approvals } from '../platform/approvals.ts';
import type { DueWork } from '../platform/jobs/due-work.ts';
import { type Outbox, outboxInsert } from '../platform/outbox.ts';
import type { Step } from '../platform/step.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const isTest = /\.(test|proof)\.ts$|(^|\/)testing\//;
const sources = globSync('**/*.ts', { cwd: root })
  .filter((file) => !isTest.test(file))
  .map((file) => readFileSync(`${root}/${file}`, 'utf8'))
  .join('\n');
const declarations = readFileSync(`${root}/app/seams.ts`, 'utf8');

function namesIn(table: string): string[] {
  const body = declarations.match(new RegExp(`interface ${table} \\{\n([^]*?)\n {2}\\}`))?.[1] ?? '';
  return [...body.matchAll(/^\s*'?([a-z-]+)'?: /gm)].map((match) => match[1] ?? '');
}

const isFound = (pattern: string) => new RegExp(pattern).test(sources);

describe('each declared name is used at both ends', () => {
  test.each(namesIn('Topics'))('topic %s is published and has a listener', (name) => {
    expect({
      isPublished: isFound(`(publish|outboxInsert)\\('${name}'`),
      hasListener: isFound(`subscribe\\('${name}'`),
    }).toEqual({ isPublished: true, hasListener: true });
  });

  test.each(namesIn('DueKinds'))('due kind %s is registered', (name) => {
    expect(isFound(`name: '${name}',\\s*table: '`)).toBe(true);
  });

  test.each(namesIn('OutcomeReceivers'))('outcome receiver %s enqueues commands', (name) => {
    expect(isFound(`outcomeTo: '${name}'`)).toBe(true);
  });

  test.each(namesIn('ApprovalKinds'))('approval kind %s is registered, and pages can show it', (name) => {
    expect({
      isRegistered: isFound(`approvals\\.on\\('${name}'`),
      isInContract: (approvalKinds as readonly string[]).includes(name),
    }).toEqual({ isRegistered: true, isInContract: true });
  });

  test.each(namesIn('DeviceWishes'))('device wish %s is wanted and has rules', (name) => {
    expect({ isWanted: isFound(`kind: '${name}'`), hasRules: isFound(`${name}: create\\w+Wish`) }).toEqual({
      isWanted: true,
      hasRules: true,
    });
  });

  test('no statement inserts outbox rows but those of the platform, which check the topic', () => {
    const inserts = globSync('**/*.ts', { cwd: root }).filter(
      (file) => !isTest.test(file) && readFileSync(`${root}/${file}`, 'utf8').includes('insert into outbox'),
    );
    expect(inserts.sort()).toEqual(['platform/outbox.ts', 'platform/step.ts']);
  });

  test('the three tables are read', () => {
    const found = ['Topics', 'DueKinds', 'OutcomeReceivers'].map((table) => namesIn(table).includes('command'));
    expect(found).toEqual([true, true, false]);
    expect(namesIn('OutcomeReceivers')).toContain('charging');
  });
});

/** The compiler runs these checks: an expected error that does not occur is itself an error. The function is never called. */
function doesNotCompile(
  step: Step,
  outbox: Outbox,
  dueWork: DueWork,
  handle: OutcomeHandlers['charging'],
  approvals: Approvals,
): unknown {
  // @ts-expect-error an undeclared topic cannot be published
  step.publish('operations', 1);
  // @ts-expect-error a topic has references of one type
  step.publish('operation', 'one');
  // @ts-expect-error an undeclared topic cannot be subscribed to
  outbox.subscribe('operations', () => {});
  // @ts-expect-error an undeclared topic cannot be inserted by a statement
  outboxInsert('operations', sql`select '1'`);
  // @ts-expect-error an undeclared kind cannot be woken
  dueWork.wake('operations');
  // @ts-expect-error an undeclared kind cannot be registered
  dueWork.register({ name: 'operations', table: 'operations', act: async () => {} });
  // @ts-expect-error a kind belongs to its table
  dueWork.register({ name: 'operation', table: 'payments', act: async () => {} });
  // @ts-expect-error an undeclared kind of approval cannot be registered
  approvals.on('increases', {});
  // @ts-expect-error every declared receiver has a handler
  const missing: OutcomeHandlers = { charging: handle };
  // @ts-expect-error an undeclared receiver cannot have a handler
  const undeclared: OutcomeHandlers = { charging: handle, 'stuck-connector': handle, typo: handle };
  return { missing, undeclared };
}

test('names that are not declared do not compile', () => {
  expect(doesNotCompile).toBeTypeOf('function');
});
