import { expect, people, test } from '../support/test.ts';

const simulator = () => process.env.SIMULATOR_URL ?? 'http://127.0.0.1:8091';

/** Somebody drives up to the station and plugs the cable in. */
async function plugIn(identity: string): Promise<void> {
  await expect
    .poll(
      async () => {
        const answer = await fetch(`${simulator()}/charge-points/${identity}/connectors/1/plug`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ soc: 20 }),
        }).catch(() => null);
        return answer?.status ?? 0;
      },
      { timeout: 60_000, message: 'the simulator has this charge point' },
    )
    .toBeLessThan(500);
}

test('a driver scans the code, pays from the balance, watches the energy flow, stops, and sees what it cost', async ({
  page,
  signIn,
}) => {
  test.setTimeout(180_000);
  await signIn(people.driver);
  await plugIn('CP-F1001');
  await page.goto('/station/F1001');

  const connector = page.getByRole('button', { name: /Type 2/ }).first();
  await expect(connector).toBeVisible({ timeout: 60_000 });
  await connector.click();
  await page.getByRole('button', { name: /Баланс/ }).click({ timeout: 60_000 });
  await page.getByRole('button', { name: /Сплатити/i }).click();

  await expect(page).toHaveURL(/\/status\/\d+$/);
  await expect(page.getByText('Заряджаємо')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText(/0,0[1-9]|0,[1-9]/).first()).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: /Завершити зарядку/i }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Завершити$/i })
    .click();

  await expect(page.getByText('Зарядку завершено')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('Як пройшла зарядка?')).toBeVisible({ timeout: 10_000 });
  await page.getByRole('button', { name: 'Пропустити' }).click();
  await expect(page.getByText(/Повернули на баланс/)).toBeVisible();
});
