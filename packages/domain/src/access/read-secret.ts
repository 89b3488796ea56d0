import { OUR_PLATFORMS, type Platform, type Platforms } from '../model/platform.ts';
import type { InvalidInput } from '../model/validation.ts';

/**
 * The minimum length of a secret, in characters. A secret that is part of the URL must be longer, because anyone can guess it
 * without a signature.
 */
export function minSecretLength(platform: Platform, platforms: Platforms = OUR_PLATFORMS): number {
  return platforms.hasSecretInUrl(platform) ? 16 : 8;
}

const MAX_LENGTH = 1000;

/** Reads a signing secret as typed. An empty one is refused, because anyone can sign with an empty key. */
export function readSecret(
  platform: Platform,
  text: string,
  platforms: Platforms = OUR_PLATFORMS,
): { readonly kind: 'valid'; readonly value: string } | InvalidInput {
  const value = text.trim();
  const problem = findProblem(platform, value, platforms);
  return problem === null ? { kind: 'valid', value } : { kind: 'invalid', field: 'secret', problem };
}

/** Whether a secret is shorter than the minimum. One that was set before there was a minimum still works, with an action item. */
export function isShortSecret(
  platform: Platform,
  secret: string,
  platforms: Platforms = OUR_PLATFORMS,
): boolean {
  return [...secret].length < minSecretLength(platform, platforms);
}

function findProblem(platform: Platform, value: string, platforms: Platforms): string | null {
  if (value === '') return 'must not be empty';
  if (value.length > MAX_LENGTH) return 'must be at most 1,000 characters';
  if (!isShortSecret(platform, value, platforms)) return null;
  const remedy = platforms.hasSecretInUrl(platform)
    ? 'use a generated one'
    : 'copy all of it, or choose a longer one';
  return `must have at least ${minSecretLength(platform, platforms)} characters: ${remedy}`;
}
