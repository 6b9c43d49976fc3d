import type * as z from 'zod/mini';
import type { TextKey } from '../i18n/text-key.ts';

/** A field of a form: where its value is in the request, and the texts of its errors. */
export interface FormField {
  /** The path in the request with dots and without list indices: `cars.name`. */
  path: string;
  text: TextKey;
  /** Texts for single messages of the contract; every other message gets `text`. */
  texts?: Readonly<Record<string, TextKey>>;
}

export type FormErrors<Field extends string> = Partial<Record<Field, TextKey>>;

/** Checks a request with the contract's schema, which the server uses too. */
export function schemaErrors<Field extends string>(
  schema: z.ZodMiniType,
  request: unknown,
  fields: Readonly<Record<Field, FormField>>,
): FormErrors<Field> {
  const { error } = schema.safeParse(request);
  return errorsAt(error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [], fields);
}

/** The errors of a refusal, which the server names by dot paths: `edited_cars.0.battery`. */
export function serverErrors<Field extends string>(
  errors: Readonly<Record<string, string[]>>,
  fields: Readonly<Record<Field, FormField>>,
): FormErrors<Field> {
  const found = Object.entries(errors).flatMap(([path, messages]) =>
    messages.map((message) => [path, message] as const),
  );
  return errorsAt(found, fields);
}

function errorsAt<Field extends string>(
  found: readonly (readonly [path: string, message: string])[],
  fields: Readonly<Record<Field, FormField>>,
): FormErrors<Field> {
  const errors: FormErrors<Field> = {};
  for (const [path, message] of found) {
    const segments = path.split('.').filter((segment) => !/^\d+$/.test(segment));
    const field = fieldAt(segments.join('.'), fields) ?? fieldAt(segments.at(-1) ?? '', fields);
    // The first message of a field is shown, because a later one may follow from it.
    if (field) errors[field] ??= fields[field].texts?.[message] ?? fields[field].text;
  }
  return errors;
}

function fieldAt<Field extends string>(path: string, fields: Readonly<Record<Field, FormField>>): Field | undefined {
  return (Object.keys(fields) as Field[]).find((field) => fields[field].path === path);
}
