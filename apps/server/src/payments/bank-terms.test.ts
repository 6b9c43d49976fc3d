import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bankTerms } from './bank-terms.ts';

const source = fileURLToPath(new URL('..', import.meta.url));

/** Names, words of the wire and codes, by the folder of the bank that may know them. */
const words: Record<keyof typeof bankTerms, RegExp> = {
  monobank:
    /monobank|plata by mono|x-sign|api\/merchant|\binvoiceId\b|webHookUrl|merchantPaymInfo|tdsUrl|cardToken|TOKEN_NOT_FOUND|CANCEL_NOT_AVAILABLE/i,
};
/** Where the banks are joined. */
const joining = ['payments/bank-terms.ts', 'payments/banks.ts'];

test.each(Object.entries(words))('no code outside payments/%s knows that bank', (provider, terms) => {
  const { declines } = bankTerms[provider as keyof typeof bankTerms];
  // Short codes are ordinary numbers; a long one in the code of money and charges is the bank's.
  const long = Object.values(declines)
    .flat()
    .filter((code) => code.length >= 4);
  const codes = new RegExp(`'(?:${long.join('|')})'`);
  const found = globSync('**/*.ts', { cwd: source })
    .filter((file) => !/\.(test|proof)\.ts$|(^|\/)testing\//.test(file))
    .filter((file) => !file.startsWith(`payments/${provider}/`) && !joining.includes(file))
    .flatMap((file) => {
      const code = readFileSync(`${source}/${file}`, 'utf8');
      const match = terms.exec(code) ?? (/^(payments|charging|wallet)\//.test(file) ? codes.exec(code) : null);
      return match ? [`${file}: ${match[0]}`] : [];
    });
  expect(found).toEqual([]);
});
