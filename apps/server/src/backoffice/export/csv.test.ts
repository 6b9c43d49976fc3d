import { expect, test } from 'vitest';
import { csvStream } from './csv.ts';

async function cellsOf(...cells: string[]): Promise<string[]> {
  async function* rows() {
    for (const cell of cells) yield [cell];
  }
  const text = (await csvStream(['cell'], rows()).toArray()).join('');
  return text.split('\r\n').slice(1, -1);
}

test('a phone number and a sum stay as they are', async () => {
  const plain = ['+380501234567', '+48512345678', '-12,50', '12,50', 'Олена'];
  expect(await cellsOf(...plain)).toEqual(plain);
});

test.each(['=1+1', '+1+1', '-1-1', '@sum(a1)', '\t=1', '＝1', '+380501234567+1', '-', '+cmd'])(
  '%j is no formula',
  async (text) => {
    expect(await cellsOf(text)).toEqual([`'${text}`]);
  },
);
