import { languages } from '@fpay/contract/languages';
import type { Page } from '@playwright/test';
import { checkAccessibility } from '../support/accessibility.ts';
import { charger } from '../support/charger.ts';
import { goToAmountAsGuest, goToBank } from '../support/pay.ts';
import { codeSentTo, newPhone } from '../support/sms.ts';
import { expect, open, people, setLanguage, test } from '../support/test.ts';

test.use({ expectedConsoleError: /status of (401|409|422) .*\/api\// });

const words = {
  uk: {
    name: 'Ім’я',
    phone: 'Номер телефону',
    password: 'Пароль',
    repeat: 'Повторіть пароль',
    car: 'Назва авто',
    agree: 'Я погоджуюся з',
    next: 'Далі',
    code: 'Код із SMS',
  },
  en: {
    name: 'Name',
    phone: 'Phone number',
    password: 'Password',
    repeat: 'Repeat the password',
    car: 'Car name',
    agree: 'I agree to the',
    next: 'Continue',
    code: 'Code from the SMS',
  },
  pl: {
    name: 'Imię',
    phone: 'Numer telefonu',
    password: 'Hasło',
    repeat: 'Powtórz hasło',
    car: 'Nazwa auta',
    agree: 'Akceptuję',
    next: 'Dalej',
    code: 'Kod z SMS-a',
  },
} as const;

async function fillIn(page: Page, phone: string, language: keyof typeof words = 'uk') {
  const { name, phone: number, password, repeat, car, agree, next } = words[language];
  await page.getByLabel(name, { exact: true }).fill('Олена Нова');
  await page.getByLabel(number).fill(phone);
  await page.getByLabel(password, { exact: true }).fill('correct-horse');
  await page.getByLabel(repeat).fill('correct-horse');
  await page.getByLabel(car).fill('Leaf');
  await page.getByLabel(agree).check();
  await page.getByRole('button', { name: next, exact: true }).click();
}

for (const language of Object.keys(words) as (keyof typeof words)[]) {
  test(`${language}: a new driver signs up with the code of an SMS and gets to the requested page [REG-01] [REG-04] [REG-05] [REG-06] [OTP-04]`, async ({
    page,
  }) => {
    const phone = newPhone();
    await setLanguage(page, language);
    await open(page, '/station/F1001');
    await expect(page).toHaveURL(/\/auth$/);
    await page.getByRole('main').locator('a[href="/reg"]').click();
    await fillIn(page, phone, language);
    await expect(page).toHaveURL(/\/otp$/);
    await page.getByLabel(words[language].code).fill(await codeSentTo(phone));
    await expect(page).toHaveURL(/\/station\/F1001$/);
    await expect(page.getByRole('banner')).toContainText('Олена');
  });
}

test('the code is requested only after the form, a wrong one clears the field, a taken number is reported [GUARD-17] [OTP-05] [VAL-06]', async ({
  page,
}) => {
  await open(page, '/otp');
  await expect(page).toHaveURL(/\/reg$/);
  await fillIn(page, people.driver);
  await expect(page.getByText('Цей номер уже зареєстровано')).toBeVisible();
  const phone = newPhone();
  await page.getByLabel('Номер телефону').fill(phone);
  await page.getByRole('button', { name: 'Далі' }).click();
  await expect(page).toHaveURL(/\/otp$/);
  const field = page.getByLabel('Код із SMS');
  await expect(field).toBeFocused();
  await field.fill((await codeSentTo(phone)) === '000000' ? '111111' : '000000');
  await expect(page.getByText('Код неправильний або вже не діє')).toBeVisible();
  await expect(field).toHaveValue('');
  await expect(page.getByRole('button', { name: /Ще раз через \d+\sс/ })).toBeDisabled();

  await page.emulateMedia({ reducedMotion: 'reduce' });
  await checkAccessibility(page);
  await page.setViewportSize({ width: 320, height: 640 });
  for (const language of languages.toReversed()) {
    await page.getByRole('combobox').selectOption(language);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    expect(await page.evaluate('document.documentElement.scrollWidth'), language).toBe(320);
  }
});

test('a guest who signs up keeps the unpaid charge', async ({ page }) => {
  test.setTimeout(120_000);
  const phone = newPhone();
  await charger.plug('F1014');
  await goToAmountAsGuest(page, 'F1014');
  await goToBank(page);

  // The charge is unpaid. A guest with an open charge can open only its page, but sign-up is allowed too.
  await page.goto('/map');
  await expect(page).toHaveURL(/\/status\/\d+$/);
  const status = page.url();
  await page.goto('/reg');
  await fillIn(page, phone);
  await page.getByLabel('Код із SMS').fill(await codeSentTo(phone));
  await expect(page).toHaveURL(status);
  await expect(page.getByRole('main')).toContainText('F1014');
  await page.goto('/active');
  await expect(page.getByRole('main')).toContainText('F1014');
});
