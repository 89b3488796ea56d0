import type { InvalidInput } from '../validation.ts';

/** A signing secret as an operator gave it. An empty one is refused: anyone can sign with an empty key. */
export function readSecret(text: string): { readonly kind: 'valid'; readonly value: string } | InvalidInput {
  const value = text.trim();
  if (value === '') return { kind: 'invalid', field: 'secret', problem: 'must not be empty' };
  if (value.length > 1000)
    return { kind: 'invalid', field: 'secret', problem: 'must be at most 1,000 characters' };
  return { kind: 'valid', value };
}
