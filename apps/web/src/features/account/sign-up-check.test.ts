import { describe, expect, it } from 'vitest';
import { checkSignUp } from './sign-up-check.ts';

const good = {
  name: 'Олена Коваль',
  phone: '+380671234567',
  password: 'correct-horse',
  repeated: 'correct-horse',
  carName: 'Leaf',
  battery: '40',
  agrees: true,
};

describe('the sign-up form', () => {
  it.each([
    {},
    { name: 'а б в г' },
    { name: 'x'.repeat(20) },
    { phone: '+3801' },
    { phone: '+48512345678' },
    { password: '12345678', repeated: '12345678' },
    { battery: '' },
    { battery: '0' },
    { battery: '20' },
    { battery: '200' },
    { battery: '77,4' },
  ])('is valid with %j', (change) => {
    expect(checkSignUp({ ...good, ...change }, 'v1')).toEqual({});
  });

  it.each([
    [{ name: '  ' }, { name: 'auth:nameRequired' }],
    [{ name: 'x'.repeat(21) }, { name: 'auth:nameInvalid' }],
    [{ name: 'a b c d e' }, { name: 'auth:nameInvalid' }],
    [{ name: 'abc\u202egnp' }, { name: 'auth:nameInvalid' }],
    [{ phone: '380671234567' }, { phone: 'auth:phoneInvalid' }],
    [{ phone: '+380' }, { phone: 'auth:phoneInvalid' }],
    [{ phone: '+38067123456789' }, { phone: 'auth:phoneInvalid' }],
    [{ password: '1234567', repeated: '1234567' }, { password: 'auth:passwordShort' }],
    [{ password: 'x'.repeat(257), repeated: 'x'.repeat(257) }, { password: 'auth:passwordLong' }],
    [{ repeated: 'correct-house' }, { repeated: 'auth:passwordsDiffer' }],
    [{ carName: '' }, { carName: 'auth:carNameInvalid' }],
    [{ carName: 'a b c d e' }, { carName: 'auth:carNameInvalid' }],
    [{ battery: '19' }, { battery: 'auth:batteryInvalid' }],
    [{ battery: '201' }, { battery: 'auth:batteryInvalid' }],
    [{ battery: 'forty' }, { battery: 'auth:batteryInvalid' }],
    [{ agrees: false }, { agrees: 'auth:termsRequired' }],
  ])('with %j has the errors %j', (change, errors) => {
    expect(checkSignUp({ ...good, ...change }, 'v1')).toEqual(errors);
  });
});
