import type { Organisation } from '../model/organisation.ts';

/** `several`: of one name, so that only the id says which. */
type ChosenOrganisation =
  | { readonly kind: 'chosen'; readonly organisation: Organisation }
  | { readonly kind: 'several'; readonly organisations: readonly Organisation[] }
  | { readonly kind: 'unknown' };

/** Finds the organisation that a text names, by id or by name. An id always wins: names are free, and may look like one. */
export function chooseOrganisation(
  ofThisId: Organisation | null,
  ofThisName: readonly Organisation[],
): ChosenOrganisation {
  const [first, ...others] = ofThisId ? [ofThisId] : ofThisName;
  if (!first) return { kind: 'unknown' };
  if (others.length > 0) return { kind: 'several', organisations: ofThisName };
  return { kind: 'chosen', organisation: first };
}
