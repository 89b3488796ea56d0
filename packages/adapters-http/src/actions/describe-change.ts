import type { Product } from '@handover/domain';

/**
 * What became of a product, in a sentence for the activity log; null when it is as it was. `liveVersion` is the label of
 * the version that is live after the change.
 */
export function describeChange(before: Product, after: Product, liveVersion: string | null): string | null {
  const changes = [
    ...(before.status === after.status ? [] : [STATUS[after.status]]),
    ...(before.name === after.name ? [] : [`renamed from “${before.name}”`]),
    ...(before.slug === after.slug ? [] : [`its slug was ${before.slug} and is ${after.slug}`]),
    ...(before.description === after.description ? [] : ['described anew']),
    ...(before.activeVersionId === after.activeVersionId
      ? []
      : [liveVersion === null ? 'no version is live any more' : `version ${liveVersion} made live`]),
  ];
  return changes.length === 0 ? null : `${after.name}: ${changes.join('; ')}.`;
}

const STATUS = {
  draft: 'a draft again',
  published: 'published',
  archived: 'archived',
} as const;
