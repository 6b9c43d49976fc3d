import { expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { invalidInput } from './errors.ts';

test.each(['constructor', '__proto__', 'toString', 'name'])('a refused field named %s is reported', (name) => {
  const issue = { code: 'custom', path: [name], message: 'is wrong', input: 1 } as z.core.$ZodIssue;
  const { fields = {} } = invalidInput([issue, issue]);
  expect(Object.entries(fields)).toEqual([[name, ['is wrong', 'is wrong']]]);
});
