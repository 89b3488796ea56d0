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
 * Why a label that a request names is none that the service knows; null where it is one, or none was named. The schema
 * cannot say it: it is the same whichever platforms are given.
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
