import { describe, expect, it } from 'vitest';
import { carOf, mistakesFrom, mistakesIn, mistakesWhileEditing, typedOf } from './form.ts';

const typed = (rest = {}) => ({ ...typedOf(null), name: 'Леаф', ...rest });

describe('a car as it is typed', () => {
  it('becomes what the server wants: a comma is a decimal mark, empty stays empty', () => {
    expect(carOf(typed({ battery: ' 52,5 ' }))).toMatchObject({ name: 'Леаф', battery: 52.5, plate: '' });
    expect(carOf(typed({ battery: '  ' }))).toMatchObject({ battery: '' });
  });

  it('shows a car as it is', () => {
    const car = { id: 3, name: 'Зоя', battery: 52.5, manufacturer: 'Renault', model: null, plate: null, vin: null };
    expect(typedOf({ ...car, year: null })).toEqual({
      name: 'Зоя',
      battery: '52.5',
      manufacturer: 'Renault',
      model: '',
      plate: '',
      vin: '',
    });
  });

  it.each([
    [{ name: '' }, { name: 'cars:nameInvalid' }],
    [{ name: 'x'.repeat(21) }, { name: 'cars:nameInvalid' }],
    [{ name: 'a b c d e' }, { name: 'cars:nameInvalid' }],
    [{ battery: '19' }, { battery: 'cars:batteryInvalid' }],
    [{ battery: '201' }, { battery: 'cars:batteryInvalid' }],
    [{ battery: 'багато' }, { battery: 'cars:batteryInvalid' }],
    [{ manufacturer: 'x'.repeat(16) }, { manufacturer: 'cars:upTo15' }],
    [{ model: 'x'.repeat(16) }, { model: 'cars:upTo15' }],
    [{ plate: 'x'.repeat(16) }, { plate: 'cars:upTo15' }],
    [{ vin: 'x'.repeat(18) }, { vin: 'cars:upTo17' }],
    [{ battery: '0', vin: 'x'.repeat(17), plate: 'x'.repeat(15) }, {}],
    [{ battery: '20' }, {}],
    [{ battery: '200' }, {}],
  ])('with %o has the mistakes %o', (rest, mistakes) => {
    expect(mistakesIn(typed(rest))).toEqual(mistakes);
  });

  it('takes the mistakes the server found by its dot paths', () => {
    expect(mistakesFrom({ 'edited_cars.0.battery': ['No'], 'edited_cars.0.vin': ['No'] })).toEqual({
      battery: 'cars:batteryInvalid',
      vin: 'cars:upTo17',
    });
  });

  it('is absurd above 300 kWh, which is seen while it is typed [VAL-12]', () => {
    expect(mistakesWhileEditing(typed({ battery: '300' }))).toEqual({});
    expect(mistakesWhileEditing(typed({ battery: '300,1' }))).toEqual({ battery: 'cars:batteryInvalid' });
  });
});
