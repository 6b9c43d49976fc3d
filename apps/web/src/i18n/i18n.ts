import type { Language } from '@fpay/contract/person';
import { onLanguageOfOtherTab, rememberedLanguage, rememberLanguage } from './languages.ts';
import type { Namespace, TextKey } from './text-key.ts';

type Words = Record<string, string>;

/** Each namespace of each language is loaded when a page first needs it. */
const files = import.meta.glob<Words>(['./texts/*/*.json', '!./texts/*/{admin*,integrations,network*}.json'], {
  import: 'default',
});

/** Adds files that only some users need; the names of all files would be in the first script otherwise. */
export function addTextFiles(more: Record<string, () => Promise<unknown>>): void {
  Object.assign(files, more);
}

/** The texts of the shell and of every page. Other namespaces are declared by their pages. */
export const shellTexts: readonly Namespace[] = ['generic', 'menu'];

/** By language and namespace: `uk/station`. */
const known = new Map<string, Words>();
const needed = new Set<Namespace>();
const listeners = new Set<() => void>();
let language = rememberedLanguage();
let chosenLast: Language = language;

/** Starts in the language that the driver chose last. */
export async function startI18n(): Promise<void> {
  await loadTexts(shellTexts);
  setPageLanguage();
  onLanguageOfOtherTab((chosen) => void chooseLanguage(chosen).catch(() => undefined));
}

/** Loads the texts of a page. They stay loaded, also in every language chosen later. */
export async function loadTexts(namespaces: readonly Namespace[]): Promise<void> {
  for (const namespace of namespaces) needed.add(namespace);
  await Promise.all(namespaces.map((namespace) => fetchTexts(language, namespace)));
}

/** A part that is loaded after its page, together with the texts that only this part uses. */
export async function withTexts<Part>(namespaces: readonly Namespace[], part: Promise<Part>): Promise<Part> {
  const [loaded] = await Promise.all([part, loadTexts(namespaces)]);
  return loaded;
}

/** Changes every text on the page at once; when the texts cannot be loaded, nothing changes. */
export async function chooseLanguage(chosen: Language): Promise<void> {
  chosenLast = chosen;
  // A page that opens meanwhile may need more texts, so the language changes when all of them are loaded.
  while (missingIn(chosen).length > 0) {
    await Promise.all(missingIn(chosen).map((namespace) => fetchTexts(chosen, namespace)));
  }
  if (chosenLast !== chosen) return;
  language = chosen;
  rememberLanguage(chosen);
  setPageLanguage();
  for (const listener of listeners) listener();
}

export function currentLanguage(): Language {
  return language;
}

export function onLanguageChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** For the few places outside React; a component uses `useText`, which renders it again in another language. */
export function text(key: TextKey, values: Record<string, string | number> = {}): string {
  const [namespace = '', name = ''] = key.split(':', 2);
  const words = known.get(`${language}/${namespace}`);
  // The texts of refusals are loaded after the first page; an earlier refusal is shown in general terms.
  if (!words) return namespace === 'refusals' ? text('generic:somethingWrongText') : name;
  const found = words[name] ?? words[`${name}_${formOf(Number(values.count))}`];
  // A newer server may refuse with a code that this version does not know.
  if (found === undefined) return namespace === 'refusals' ? text('generic:somethingWrong') : name;
  return found.replace(/\{\{(\w+)\}\}/g, (_, placeholder: string) => String(values[placeholder] ?? ''));
}

/** The plural form of the language for a number. */
function formOf(count: number): string {
  return new Intl.PluralRules(language).select(count);
}

function missingIn(chosen: Language): Namespace[] {
  return [...needed].filter((namespace) => !known.has(`${chosen}/${namespace}`));
}

async function fetchTexts(chosen: Language, namespace: Namespace): Promise<void> {
  const name = `${chosen}/${namespace}`;
  if (known.has(name)) return;
  const words = await files[`./texts/${name}.json`]?.();
  if (!words) throw new Error(`There are no texts ${name}`);
  known.set(name, words);
}

function setPageLanguage(): void {
  document.documentElement.lang = language;
}
