import type { texts } from './texts/uk/index.ts';

/** Ukrainian is the source: its files define which texts exist. */
type Texts = typeof texts;
export type Namespace = keyof Texts;

type PluralForm = 'one' | 'few' | 'many' | 'other';
type WithoutForm<Key> = Key extends `${infer Base}_${PluralForm}` ? Base : Key;
type KeyOf<N extends Namespace> = `${N}:${WithoutForm<keyof Texts[N] & string>}`;

/**
 * Always written in full, as `generic:youSure`, and as a literal, so that a missing text is a compile error and an
 * unused one a failing test.
 */
export type TextKey = { [N in Namespace]: KeyOf<N> }[Namespace];
