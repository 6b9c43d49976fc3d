import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { schemaErrors, serverErrors } from './form-errors.ts';

const schema = z.object({
  name: z.string().check(z.minLength(1, 'required'), z.minLength(3, 'short')),
  cars: z.array(z.object({ name: z.string().check(z.maxLength(3, 'long')) })),
});
const fields = {
  name: { path: 'name', text: 'account:nameInvalid', texts: { required: 'account:nameRequired' } },
  carName: { path: 'cars.name', text: 'cars:nameInvalid' },
} as const;

describe('the errors of a form', () => {
  it('are none for a valid request', () => {
    expect(schemaErrors(schema, { name: 'Olena', cars: [{ name: 'zoe' }] }, fields)).toEqual({});
  });

  it('are at the field of their path, with the text of the first message', () => {
    expect(schemaErrors(schema, { name: '', cars: [{ name: 'leaf' }] }, fields)).toEqual({
      name: 'account:nameRequired',
      carName: 'cars:nameInvalid',
    });
    expect(schemaErrors(schema, { name: 'Ol', cars: [] }, fields)).toEqual({ name: 'account:nameInvalid' });
  });

  it('of the server are found by the last part of a path that is no path of the form', () => {
    expect(serverErrors({ 'edited_users.0.name': ['required'] }, fields)).toEqual({ name: 'account:nameRequired' });
    expect(serverErrors({ icon: ['invalid'] }, fields)).toEqual({});
  });
});
