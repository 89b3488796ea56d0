import { currencyDigits } from './currency.ts';
import { readEmail } from './email-address.ts';

/** An invalid value. */
export interface InvalidInput {
  readonly kind: 'invalid';
  readonly field: string;
  /** The rest of a sentence that begins with the field's name: `must not be empty`. */
  readonly problem: string;
}

/** All invalid values of a form, in its order. `field` and `problem` are those of the first. */
export interface InvalidForm extends InvalidInput {
  readonly problems: readonly InvalidInput[];
}

type Read<T> = { readonly kind: 'valid'; readonly value: T } | InvalidInput;
type ReadForm<T> = { readonly kind: 'valid'; readonly value: T } | InvalidForm;
type ValueOf<R> = R extends { readonly kind: 'valid'; readonly value: infer Value } ? Value : never;

/** The values of a form, or all of its problems at once. */
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

/** The valid value of an omitted field. */
export const NOTHING = { kind: 'valid', value: null } as const;

/** One line of text for people, trimmed: 1 to 200 characters, none of them a control character. */
export function readName(field: string, text: string): Read<string> {
  const value = text.trim();
  if (!/[^\p{C}\p{Z}\p{M}]/u.test(value)) return { kind: 'invalid', field, problem: 'must not be empty' };
  if (value.length > 200) return { kind: 'invalid', field, problem: 'must be at most 200 characters' };
  // Characters that change the text direction could make one name look like another.
  if (/[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/u.test(value)) {
    return { kind: 'invalid', field, problem: 'must be one line without control characters' };
  }
  return { kind: 'valid', value };
}

/** An e-mail address: see `readEmail`. */
export function readAddress(field: string, text: string): Read<string> {
  const value = readEmail(text);
  return value === null
    ? { kind: 'invalid', field, problem: 'must be an e-mail address' }
    : { kind: 'valid', value };
}

/** The ISO 4217 code of a currency, in upper case. */
export function readCurrency(field: string, text: string): Read<string> {
  const value = text.trim().toUpperCase();
  return currencyDigits(value) === null
    ? { kind: 'invalid', field, problem: 'must be a currency code of ISO 4217, such as EUR' }
    : { kind: 'valid', value };
}

/** Text of several lines, trimmed, at most 10,000 characters; null if it is blank. */
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
