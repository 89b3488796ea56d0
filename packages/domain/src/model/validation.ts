import { currencyDigits } from './currency.ts';
import { readEmail } from './email-address.ts';

/** A value that was given and cannot be used: which one, and what it must be, to follow the field's name. */
export interface InvalidInput {
  readonly kind: 'invalid';
  readonly field: string;
  readonly problem: string;
}

/** A form with values that cannot be used: all of them, in its order. `field` and `problem` are the first's. */
export interface InvalidForm extends InvalidInput {
  readonly problems: readonly InvalidInput[];
}

type Read<T> = { readonly kind: 'valid'; readonly value: T } | InvalidInput;
type ReadForm<T> = { readonly kind: 'valid'; readonly value: T } | InvalidForm;
type ValueOf<R> = R extends { readonly kind: 'valid'; readonly value: infer Value } ? Value : never;

/** The values of a form if it has no problem, else all problems at once: a person corrects them in one go. */
export function readFields<Fields extends Readonly<Record<string, Read<unknown>>>>(
  fields: Fields,
): ReadForm<{ readonly [Name in keyof Fields]: ValueOf<Fields[Name]> }> {
  const problems = Object.values(fields).filter((field) => field.kind === 'invalid');
  const [first] = problems;
  if (first) return { ...first, problems };
  const values = Object.entries(fields).map(([name, field]) => [
    name,
    field.kind === 'valid' ? field.value : null,
  ]);
  return { kind: 'valid', value: Object.fromEntries(values) };
}

/** Of a field that was left out. */
export const NOTHING = { kind: 'valid', value: null } as const;

/** One line of text for people, trimmed: 1 to 200 characters, none of them a control character. */
export function readName(field: string, text: string): Read<string> {
  const value = text.trim();
  if (!/[^\p{C}\p{Z}\p{M}]/u.test(value)) return { kind: 'invalid', field, problem: 'must not be empty' };
  if (value.length > 200) return { kind: 'invalid', field, problem: 'must be at most 200 characters' };
  // Marks that turn the direction of what follows could make one name look like another.
  if (/[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/u.test(value)) {
    return { kind: 'invalid', field, problem: 'must be one line without control characters' };
  }
  return { kind: 'valid', value };
}

/** An e-mail address, as it is kept. */
export function readAddress(field: string, text: string): Read<string> {
  const value = readEmail(text);
  return value === null
    ? { kind: 'invalid', field, problem: 'must be an e-mail address' }
    : { kind: 'valid', value };
}

/** The code of a currency in circulation, as a person types it. */
export function readCurrency(field: string, text: string): Read<string> {
  const value = text.trim().toUpperCase();
  return currencyDigits(value) === null
    ? { kind: 'invalid', field, problem: 'must be a currency code of ISO 4217, such as EUR' }
    : { kind: 'valid', value };
}

/** Free text over several lines, at most 10,000 characters; blank counts as none. */
export function readDescription(text: string | null): Read<string | null> {
  const value = text?.trim() ?? '';
  if (value === '') return NOTHING;
  if (value.length > 10_000) {
    return { kind: 'invalid', field: 'description', problem: 'must be at most 10,000 characters' };
  }
  if (/[^\P{C}\n\r\t\p{Cf}]/u.test(value)) {
    return { kind: 'invalid', field: 'description', problem: 'must not hold control characters' };
  }
  return { kind: 'valid', value };
}
