import { activeOperations } from '@fpay/contract/charging';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../testing/stack.ts';

/** A driver who presses pay in several tabs at once: each press has a nonce of its own. */
let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

test.each([1, 2, 3])(
  'five presses of pay at once lead to one page of the bank, and the charge stays: scene M2, run %i',
  async () => {
    const { connector } = await stack.addScripted();
    const driver = await stack.driver();
    const press = () => stack.pay(driver.client, { connector, amount: '100', payment_type: 'card' });
    const answers = await Promise.all(Array.from({ length: 5 }, press));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const [page = '', ...others] = new Set(answers.map(({ body }) => body.page_url));
    expect(others).toEqual([]);
    const { body: open } = await driver.client.call(activeOperations);
    expect(open).toMatchObject([{ status: 'created' }]);
    await stack.payAtBank(page);
    await stack.until(driver.client, open[0]?.id ?? 0, 'starting');
    await stack.checkBooks();
  },
);
