import { languages } from '@fpay/contract/languages';
import { checkAccessibility } from '../support/accessibility.ts';
import { clientOf } from '../support/client.ts';
import { expect, fitsNarrowPhone, open, people, setLanguage, test } from '../support/test.ts';
import { texts } from '../support/texts.ts';

const { partyOwner: owner } = people;
const member = '+380500000004';
const memberName = 'Ірина Бондар';
const uk = texts('uk');

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

for (const language of languages) {
  const say = texts(language);

  test(`the owner looks through members, statistics and operations (${language}) [PARTY-01] [PARTY-02] [I18N-01]`, async ({
    page,
    signIn,
  }) => {
    await signIn(owner);
    await setLanguage(page, language);
    await open(page, '/party');
    await expect(page.getByRole('heading', { level: 1, name: 'Дніпро Логістик' })).toBeVisible();
    await expect(page.getByRole('listitem', { name: memberName })).toBeVisible();
    await page.getByRole('button', { name: say('party:closed') }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: say('party:stats') }).click();
    await expect(page.getByRole('list', { name: say('party:stations') })).toBeVisible();
    await page.getByLabel(say('party:period')).selectOption('lastYear');
    await expect(page.getByRole('list', { name: say('party:stations') })).toBeVisible();
    await page.getByRole('tab', { name: say('party:operations') }).click();
    await expect(page).toHaveURL(/tab=operations/);
    await expect(page.getByRole('combobox', { name: say('party:user') })).toBeVisible();
  });

  test(`a member sees the stations and who the owner is (${language}) [PARTY-03]`, async ({ page, signIn }) => {
    await signIn(member);
    await setLanguage(page, language);
    await open(page, '/party');
    await expect(page.getByText('Тарас Шевчук')).toBeVisible();
    await expect(page.getByRole('tab')).toHaveCount(0);
    await page
      .getByRole('list', { name: say('party:stations') })
      .getByRole('link')
      .first()
      .click();
    await expect(page).toHaveURL(/\/station\/F\d+/);
  });
}

test('the owner sends money, and the member has it [PARTY-07] [PARTY-08]', async ({ page, site, signIn }) => {
  const balanceOf = async () => (await (await clientOf(site, member)).get('/api/user')).body.balance as number;
  const before = await balanceOf();
  await signIn(owner);
  await open(page, '/party');
  await page.getByRole('button', { name: `Дії: ${memberName}` }).click();
  await page.getByRole('button', { name: uk('party:give') }).click();
  await page.getByLabel(uk('party:amount')).fill('1,5');
  await page.getByRole('button', { name: uk('party:give') }).click();
  await expect(page.getByText(uk('party:noComma'))).toBeVisible();
  await page.getByLabel(uk('party:amount')).fill('1.5');
  await page.getByRole('button', { name: uk('party:give') }).click();
  await page
    .getByRole('dialog', { name: /1,50/ })
    .getByRole('button', { name: uk('party:give') })
    .click();
  await expect(page.getByText(uk('party:given'))).toBeVisible();
  await expect(page.getByText(uk('party:given'))).toBeHidden();
  expect(await balanceOf()).toBe(before + 1_50);
});

test('a driver without a party has no party page [GUARD-12]', async ({ page, signIn }) => {
  await signIn(people.driver);
  await open(page, '/party');
  await expect(page).toHaveURL(/\/404$/);
});

test('party pages: axe finds nothing in either theme, and nothing scrolls sideways at 320 px in any language', async ({
  page,
  signIn,
}) => {
  test.setTimeout(120_000);
  await signIn(owner);
  for (const tab of ['users', 'stats', 'operations']) {
    await open(page, `/party?tab=${tab}`);
    await expect(page.getByRole('tabpanel')).toBeVisible();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    await checkAccessibility(page);
    await fitsNarrowPhone(page);
    await page.setViewportSize({ width: 390, height: 844 });
  }
  await signIn(member);
  await open(page, '/party');
  await expect(page.getByText('Тарас Шевчук')).toBeVisible();
  await checkAccessibility(page);
});
