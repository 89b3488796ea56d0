import type { Product } from '@handover/domain';

/** What became of a product, in a sentence for the activity log; null when it is as it was. */
export function describeChange(before: Product, after: Product): string | null {
  const changes = [
    ...(before.status === after.status ? [] : [STATUS[after.status]]),
    ...(before.name === after.name ? [] : [`renamed from “${before.name}”`]),
    ...(before.slug === after.slug ? [] : [`its slug was ${before.slug} and is ${after.slug}`]),
    ...(before.description === after.description ? [] : ['described anew']),
  ];
  return changes.length === 0 ? null : `${after.name}: ${changes.join('; ')}.`;
}

const STATUS = {
  draft: 'a draft again',
  published: 'published',
  archived: 'archived',
} as const;
