import { type Language, rememberedLanguage, rememberLanguage } from './languages.ts';
import type { Namespace, TextKey } from './text-key.ts';

type Words = Record<string, string>;

/** Each namespace of each language is fetched when a page first needs it. */
const files = import.meta.glob<Words>('./texts/*/*.json', { import: 'default' });

/** What the shell says, and what any page may have to say. Other words belong to pages, which name theirs. */
export const shellTexts: readonly Namespace[] = ['generic', 'menu'];

/** By language and namespace: `uk/station`. */
const known = new Map<string, Words>();
const needed = new Set<Namespace>();
const listeners = new Set<() => void>();
let language = rememberedLanguage();
let chosenLast: Language = language;

/** Begins in the language the driver chose last. */
export async function startI18n(): Promise<void> {
  await loadTexts(shellTexts);
  tellLanguageToPage();
}

/** Fetches the words of a page. They stay, in every language chosen later too. */
export async function loadTexts(namespaces: readonly Namespace[]): Promise<void> {
  for (const namespace of namespaces) needed.add(namespace);
  await Promise.all(namespaces.map((namespace) => fetchWords(language, namespace)));
}

/** Changes every text on the page at once; when the texts cannot be fetched, nothing changes. */
export async function chooseLanguage(chosen: Language): Promise<void> {
  chosenLast = chosen;
  // A page that opens meanwhile may need more words: the language changes when all of them are there.
  while (missingIn(chosen).length > 0) {
    await Promise.all(missingIn(chosen).map((namespace) => fetchWords(chosen, namespace)));
  }
  if (chosenLast !== chosen) return;
  language = chosen;
  rememberLanguage(chosen);
  tellLanguageToPage();
  for (const listener of listeners) listener();
}

export function currentLanguage(): Language {
  return language;
}

export function onLanguageChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** For the few places outside React; a component uses `useText`, which draws it anew in another language. */
export function text(key: TextKey, values: Record<string, string | number> = {}): string {
  const [namespace = '', name = ''] = key.split(':', 2);
  const words = known.get(`${language}/${namespace}`);
  // The words for refusals come after the first page; a refusal that overtakes them is told in general terms.
  if (!words) return namespace === 'refusals' ? text('generic:somethingWrongText') : name;
  const found = words[name] ?? words[`${name}_${formOf(Number(values.count))}`] ?? name;
  return found.replace(/\{\{(\w+)\}\}/g, (_, placeholder: string) => String(values[placeholder] ?? ''));
}

/** Which of the language's plural forms goes with a number. */
function formOf(count: number): string {
  return new Intl.PluralRules(language).select(count);
}

function missingIn(chosen: Language): Namespace[] {
  return [...needed].filter((namespace) => !known.has(`${chosen}/${namespace}`));
}

async function fetchWords(chosen: Language, namespace: Namespace): Promise<void> {
  const name = `${chosen}/${namespace}`;
  if (known.has(name)) return;
  const words = await files[`./texts/${name}.json`]?.();
  if (!words) throw new Error(`There are no texts ${name}`);
  known.set(name, words);
}

function tellLanguageToPage(): void {
  document.documentElement.lang = language;
}
