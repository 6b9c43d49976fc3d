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

/** The texts of a form: strings that its fields show as they are. */
type TextName<Typed> = { [Name in keyof Typed]: Typed[Name] extends string ? Name : never }[keyof Typed] & string;

interface FieldsOptions<Typed> {
  start: Typed | (() => Typed);
  rules: FormRules<Typed>;
  onValid: (typed: Typed) => void;
}

/**
 * What is typed and its errors, for a form that sends nothing by itself, for example filters. Nothing goes on while the
 * contract refuses it; an error goes with the next change, and the first wrong field gets the focus.
 */
export function useFields<Typed extends object>({ start, rules, onValid }: FieldsOptions<Typed>) {
  const text = useText();
  const form = useRef<HTMLFormElement>(null);
  const [before] = useState(start);
  const [typed, setTyped] = useState(before);
  const [errors, setErrors] = useState<FormErrors<string>>({});
  useOnChange([errors], () => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());

  /** False when there are none. */
  function showErrors(found: FormErrors<string>): boolean {
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
    if (!showErrors(rules.check(typed))) onValid(typed);
  }
  return {
    typed,
    before,
    change,
    errorOf,
    showErrors,
    save,
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

interface FormOptions<Typed, Result> {
  start: Typed | (() => Typed);
  rules: FormRules<Typed>;
  send: (typed: Typed) => Promise<Result>;
  onSuccess: (result: Result) => void;
}

/** A form of the staff pages with its request, whose refusal is shown at the fields that it names. */
export function useForm<Typed extends object, Result>({ start, rules, send, onSuccess }: FormOptions<Typed, Result>) {
  const sending = useAction(send, {
    onSuccess,
    onError: (error) => fields.showErrors(error instanceof ApiError ? rules.refused(error.errors) : {}),
  });
  const fields = useFields({ start, rules, onValid: (typed) => !sending.isPending && sending.mutate(typed) });
  return { ...fields, isBusy: sending.isPending };
}

export type StaffForm<Typed extends object> = Pick<
  ReturnType<typeof useForm<Typed, unknown>>,
  'typed' | 'change' | 'errorOf' | 'field'
>;
