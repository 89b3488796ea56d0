import { PLATFORMS, type Platform, type Platforms } from '@handover/domain';
import { type TSchemaOptions, type TUnsafe, Type } from 'typebox';
import { joinWithOr } from '../pages/words.ts';

/** The label of a platform: one of ours, or of one that the service was given besides. */
export function platformLabel({ description, ...options }: LabelOptions): TUnsafe<Platform> {
  return Type.Unsafe<Platform>({
    type: 'string',
    description: `${description} \`${PLATFORMS.join('`, `')}\`, or what the operator added with \`PLATFORMS\`.`,
    examples: ['storefront-a'],
    ...options,
  });
}

/**
 * Says which platforms the service knows, if it does not know the one that a request names; null if it does, or if none is
 * named. The schema cannot check this: it is the same whichever platforms are given.
 */
export function findLabelProblem(
  platforms: Platforms,
  platform: Platform | null,
  also: readonly string[] = [],
): string | null {
  if (platform === null || platforms.has(platform)) return null;
  return `“platform” must be ${joinWithOr([...platforms.list(), ...also])}.`;
}

interface LabelOptions extends TSchemaOptions {
  readonly description: string;
}
