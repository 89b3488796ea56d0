import type { ProductFile } from '../model/product.ts';
import type { InvalidInput } from '../model/validation.ts';
import type { Products } from '../ports/catalogue.ts';
import type { FilePlace } from './prepare-version.ts';

interface Ports {
  readonly products: Products;
}

/** `unknown-file`: the version has no file of that name (any more). */
type NameVersionFileResult =
  | { readonly kind: 'named'; readonly displayName: string | null }
  | { readonly kind: 'unknown-file' }
  | InvalidInput;

/**
 * Sets the name that buyers see instead of a file's name; if blank, they see the file's name. This also works for a live version,
 * because neither the file nor the name of its download changes.
 */
export async function nameVersionFile(
  { products }: Ports,
  { orgId, productId, versionId, name }: FilePlace,
  text: string,
): Promise<NameVersionFileResult> {
  const problem = checkDisplayName(text.trim());
  if (problem) return { kind: 'invalid', field: 'displayName', problem };
  const displayName = text.trim() || null;
  const version = await products.findVersion(orgId, productId, versionId);
  const isNamed = version && (await products.nameFile(orgId, versionId, name, displayName));
  return isNamed ? { kind: 'named', displayName } : { kind: 'unknown-file' };
}

/** `changed`: files were added or removed concurrently. `at-end`: the file is the first or the last one already. */
type MoveVersionFileResult =
  | { readonly kind: 'moved' }
  | { readonly kind: 'at-end' | 'changed' | 'unknown-file' };

/** Moves a file one place up or down in the list that buyers see. */
export async function moveVersionFile(
  { products }: Ports,
  { orgId, productId, versionId, name }: FilePlace,
  direction: 'up' | 'down',
): Promise<MoveVersionFileResult> {
  const version = await products.findVersion(orgId, productId, versionId);
  const names = version?.files.map((file) => file.name) ?? [];
  const order = moveOne(names, name, direction);
  if (order === null) return { kind: names.includes(name) ? 'at-end' : 'unknown-file' };
  const outcome = await products.orderFiles(orgId, versionId, order);
  return { kind: outcome === 'ordered' ? 'moved' : 'changed' };
}

/** Why a file stays: see `Products.removeFile`. */
type RemoveVersionFileResult =
  | { readonly kind: 'removed'; readonly file: ProductFile }
  | { readonly kind: 'live' | 'bought' | 'last' | 'unknown-file' };

/** Removes a file from a version that no buyer can get. */
export async function removeVersionFile(
  { products }: Ports,
  { orgId, productId, versionId, name }: FilePlace,
): Promise<RemoveVersionFileResult> {
  const removed = await products.removeFile(orgId, productId, versionId, name);
  return typeof removed === 'string' ? { kind: removed } : { kind: 'removed', file: removed };
}

/** The names with this one moved by one place; null if it is unknown, or already at that end. */
export function moveOne(
  names: readonly string[],
  name: string,
  direction: 'up' | 'down',
): readonly string[] | null {
  const at = names.indexOf(name);
  const to = direction === 'up' ? at - 1 : at + 1;
  if (at < 0 || to < 0 || to >= names.length) return null;
  return names.with(at, names[to] ?? name).with(to, name);
}

const MAX_DISPLAY_NAME = 60;

function checkDisplayName(text: string): string | null {
  if (text === '') return null;
  if (text.length > MAX_DISPLAY_NAME) return `must be at most ${MAX_DISPLAY_NAME} characters`;
  // Characters that change the text direction could make one name look like another.
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text))
    return 'must be one line without control characters or marks of direction';
  if (!/[^\p{C}\p{Z}\p{M}]/u.test(text)) return 'must hold a character that can be seen';
  return null;
}
