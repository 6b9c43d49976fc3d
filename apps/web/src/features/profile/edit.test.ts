import { describe, expect, it } from 'vitest';
import { aUser } from '../../testing/people.ts';
import { checkProfile, isEdited, profileChangesOf, profileErrorsFrom } from './edit.ts';

const user = aUser({ name: 'Олена Коваль', phone_number: '+380671234567', icon: 4 });

describe('what an edit changes', () => {
  it('is nothing while the fields have their previous values', () => {
    const draft = { name: ' Олена Коваль ', phone: '+380 67 123 45 67', password: '', icon: 4 };
    expect(profileChangesOf(draft, user)).toEqual({ name: '', phone_number: '', password: '', icon: 0 });
    expect(isEdited(draft, user)).toBe(false);
    expect(checkProfile(draft, user)).toEqual({});
  });

  it.each([
    [{ name: 'Ірина' }, { name: 'Ірина', phone_number: '', password: '', icon: 0 }],
    [{ phone: '+48 601 234 567' }, { name: '', phone_number: '+48601234567', password: '', icon: 0 }],
    [{ password: 'new-secret' }, { name: '', phone_number: '', password: 'new-secret', icon: 0 }],
    [{ icon: 2 }, { name: '', phone_number: '', password: '', icon: 2 }],
  ])('is only the difference: %o', (draft, changes) => {
    expect(profileChangesOf(draft, user)).toEqual(changes);
    expect(isEdited(draft, user)).toBe(true);
    expect(checkProfile(draft, user)).toEqual({});
  });

  it('includes a field that was emptied, which cannot be saved and shows an error', () => {
    expect(isEdited({ name: ' ' }, user)).toBe(true);
    expect(isEdited({ phone: '' }, user)).toBe(true);
  });
});

describe('errors', () => {
  it.each([
    [{ name: '' }, { name: 'account:nameRequired' }],
    [{ name: 'x'.repeat(21) }, { name: 'account:nameInvalid' }],
    [{ name: 'a b c d e' }, { name: 'account:nameInvalid' }],
    [{ phone: '' }, { phone: 'account:phoneInvalid' }],
    [{ phone: '0671234567' }, { phone: 'account:phoneInvalid' }],
    [{ phone: '+380' }, { phone: 'account:phoneInvalid' }],
    [{ phone: '+3806712345678' }, { phone: 'account:phoneInvalid' }],
    [{ password: '1234567' }, { password: 'account:passwordShort' }],
    [{ password: 'x'.repeat(257) }, { password: 'account:passwordLong' }],
  ])('of %o are found before anything is sent', (draft, errors) => {
    expect(checkProfile(draft, user)).toEqual(errors);
  });

  it('that only the server finds are shown at their fields', () => {
    expect(profileErrorsFrom({ password: ['This password is too common'] })).toEqual({
      password: 'account:passwordCommon',
    });
    expect(
      profileErrorsFrom({
        name: ['Name must be up to 20 characters and 4 words!'],
        phone_number: ['Phone number is invalid!'],
        password: ['Password must be at most 256 characters!'],
      }),
    ).toEqual({ name: 'account:nameInvalid', phone: 'account:phoneInvalid', password: 'account:passwordLong' });
  });
});
