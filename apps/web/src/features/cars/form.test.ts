import { describe, expect, it } from 'vitest';
import { carErrorsFrom, carOf, checkCar, checkWhileTyping, typedOf } from './form.ts';

const typed = (rest = {}) => ({ ...typedOf(null), name: 'Леаф', ...rest });

describe('the car form', () => {
  it('gives the request of the server: a comma is a decimal mark, and empty stays empty', () => {
    expect(carOf(typed({ battery: ' 52,5 ' }))).toMatchObject({ name: 'Леаф', battery: 52.5, plate: '' });
    expect(carOf(typed({ battery: '  ' }))).toMatchObject({ battery: '' });
  });

  it('shows the values of a car', () => {
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
  ])('with %o has the errors %o', (rest, errors) => {
    expect(checkCar(typed(rest))).toEqual(errors);
  });

  it('shows the errors of the server by their dot paths', () => {
    expect(carErrorsFrom({ 'edited_cars.0.battery': ['No'], 'edited_cars.0.vin': ['No'] })).toEqual({
      battery: 'cars:batteryInvalid',
      vin: 'cars:upTo17',
    });
  });

  it('shows a battery above 300 kWh as an error while typing [VAL-12]', () => {
    expect(checkWhileTyping(typed({ battery: '300' }))).toEqual({});
    expect(checkWhileTyping(typed({ battery: '300,1' }))).toEqual({ battery: 'cars:batteryInvalid' });
  });
});
