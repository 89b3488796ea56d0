import type { Organisation } from '../model/organisation.ts';

/** `several`: organisations with the same name, which only the id tells apart. */
type ChosenOrganisation =
  | { readonly kind: 'chosen'; readonly organisation: Organisation }
  | { readonly kind: 'several'; readonly organisations: readonly Organisation[] }
  | { readonly kind: 'unknown' };

/**
 * Chooses the organisation that a text names, from the one with this id and those with this name. The id wins, because a name
 * can look like an id.
 */
export function chooseOrganisation(
  ofThisId: Organisation | null,
  ofThisName: readonly Organisation[],
): ChosenOrganisation {
  const [first, ...others] = ofThisId ? [ofThisId] : ofThisName;
  if (!first) return { kind: 'unknown' };
  if (others.length > 0) return { kind: 'several', organisations: ofThisName };
  return { kind: 'chosen', organisation: first };
}
