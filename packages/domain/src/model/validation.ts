/** A value that was given and cannot be used: which one, and what it must be, to follow the field's name. */
export interface InvalidInput {
  readonly kind: 'invalid';
  readonly field: string;
  readonly problem: string;
}

type Read<T> = { readonly kind: 'valid'; readonly value: T } | InvalidInput;

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

/** Free text over several lines, at most 10,000 characters; blank counts as none. */
export function readDescription(text: string | null): Read<string | null> {
  const value = text?.trim() ?? '';
  if (value === '') return { kind: 'valid', value: null };
  if (value.length > 10_000) {
    return { kind: 'invalid', field: 'description', problem: 'must be at most 10,000 characters' };
  }
  if (/[^\P{C}\n\r\t\p{Cf}]/u.test(value)) {
    return { kind: 'invalid', field: 'description', problem: 'must not hold control characters' };
  }
  return { kind: 'valid', value };
}
