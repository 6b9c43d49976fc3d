import { loadTexts } from '../../i18n/i18n.ts';

/** Code that appears after the first screen of a station, loaded together with its texts. */
export async function withPaymentTexts<Module>(code: Promise<Module>): Promise<Module> {
  await loadTexts(['payment']);
  return code;
}
