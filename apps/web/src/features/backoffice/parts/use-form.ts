import { type SyntheticEvent, useRef, useState } from 'react';
import type * as z from 'zod/mini';
import { ApiError } from '../../../api/errors.ts';
import { type FormErrors, type FormField, schemaErrors, serverErrors } from '../../../api/form-errors.ts';
import { useAction } from '../../../data/action.ts';
import { useText } from '../../../i18n/use-text.ts';
import { useOnChange } from '../../../ui/hooks/use-on-change.ts';

/** What is wrong with a request, by the names of the form's fields. */
export interface FormRules<Typed> {
  check: (typed: Typed) => FormErrors<string>;
  /** The errors of a refusal. */
  refused: (errors: Readonly<Record<string, string[]>>) => FormErrors<string>;
}

/** The rules of the contract's schema, for a form whose fields are named in a table. */
export function contractRules<Typed>(
  schema: z.ZodMiniType,
  requestOf: (typed: Typed) => unknown,
  fields: Readonly<Record<string, FormField>>,
): FormRules<Typed> {
  return {
    check: (typed) => schemaErrors(schema, requestOf(typed), fields),
    refused: (errors) => serverErrors(errors, fields),
  };
}

interface FormOptions<Typed, Result> {
  start: Typed | (() => Typed);
  rules: FormRules<Typed>;
  send: (typed: Typed) => Promise<Result>;
  onSuccess: (result: Result) => void;
}

/** The texts of a form: strings that its fields show as they are. */
type TextName<Typed> = { [Name in keyof Typed]: Typed[Name] extends string ? Name : never }[keyof Typed] & string;

/**
 * A form of the staff pages: what is typed, its errors and its request. Nothing is sent while the contract refuses it;
 * an error goes with the next change, and the first wrong field gets the focus.
 */
export function useForm<Typed extends object, Result>({ start, rules, send, onSuccess }: FormOptions<Typed, Result>) {
  const text = useText();
  const form = useRef<HTMLFormElement>(null);
  const [before] = useState(start);
  const [typed, setTyped] = useState(before);
  const [errors, setErrors] = useState<FormErrors<string>>({});
  const sending = useAction(() => send(typed), {
    onSuccess,
    onError: (error) => showAll(error instanceof ApiError ? rules.refused(error.errors) : {}),
  });
  useOnChange([errors], () => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());

  function showAll(found: FormErrors<string>): boolean {
    setErrors(found);
    return Object.keys(found).length > 0;
  }
  function change(values: Partial<Typed>): void {
    setTyped((present) => ({ ...present, ...values }));
    setErrors({});
  }
  function errorOf(field: string): string | undefined {
    const key = errors[field];
    return key && text(key);
  }
  function save(event?: SyntheticEvent): void {
    event?.preventDefault();
    if (!sending.isPending && !showAll(rules.check(typed))) sending.mutate();
  }
  return {
    typed,
    before,
    change,
    errorOf,
    save,
    isBusy: sending.isPending,
    /** For the `<form>`. */
    props: { ref: form, noValidate: true, onSubmit: save },
    /** For a field whose value is a text. */
    field: (name: TextName<Typed>) => ({
      value: typed[name] as string,
      error: errorOf(name),
      onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value } as Partial<Typed>),
    }),
  };
}

export type StaffForm<Typed extends object> = Pick<
  ReturnType<typeof useForm<Typed, unknown>>,
  'typed' | 'change' | 'errorOf' | 'field'
>;
