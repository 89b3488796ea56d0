import type { Candidate, SkuMapping } from '@handover/domain';
import { checkDeliverability, matchLine, normalizeSlug } from '@handover/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const product = (id: string, slug: string) =>
  ({ id, name: slug, slug, status: 'published', activeVersionId: 'v' }) as const;
const PADS = product('p-pads', 'pads');
const KEYS = product('p-keys', 'keys-2');
const DRUMS = product('p-drums', 'toms');
const NAMED_LIKE_DRUMS = product('p-other', 'p-drums');
const sku = (value: string): Candidate => ({ kind: 'sku', value });
const vendorId = (value: string): Candidate => ({ kind: 'vendor-id', value });
const mapping = (
  text: string,
  productId: string | null,
  platform: SkuMapping['platform'] = null,
): SkuMapping => ({
  sku: text,
  productId,
  platform,
});

function match(candidates: readonly Candidate[], mappings: readonly SkuMapping[] = []) {
  const line = { candidates, quantity: 1, amount: null, title: null };
  const found = matchLine(line, 'storefront-a', {
    mappings,
    products: [NAMED_LIKE_DRUMS, DRUMS, PADS, KEYS],
  });
  return found.kind === 'product' ? found.product.id : found.kind;
}

describe('a line is matched', () => {
  it.each<[string, readonly Candidate[], readonly SkuMapping[], string]>([
    ['to the product whose slug its SKU normalises to', [sku(' PADS ')], [], 'p-pads'],
    ['to a slug behind punctuation', [sku('Keys_2')], [], 'p-keys'],
    ['to nothing when no slug and no mapping fits', [sku('drums')], [], 'unmatched'],
    ['to nothing when it has no candidate', [], [], 'unmatched'],
    ['to nothing when its SKU is only punctuation', [sku('--')], [], 'unmatched'],
    ['through a mapping before a slug', [sku('Pads')], [mapping('pads', 'p-keys')], 'p-keys'],
    ['trimmed and case-folded', [sku('  Old-SKU ')], [mapping('old-sku', 'p-pads')], 'p-pads'],
    [
      'through the mapping of its platform before the general one',
      [sku('x')],
      [mapping('x', 'p-pads'), mapping('x', 'p-keys', 'storefront-a')],
      'p-keys',
    ],
    [
      'not through its platform’s mapping of another SKU',
      [sku('x')],
      [mapping('y', 'p-keys', 'storefront-a'), mapping('y', 'p-keys')],
      'unmatched',
    ],
    [
      'not through the mapping of another platform',
      [sku('x')],
      [mapping('x', 'p-keys', 'cart-a')],
      'unmatched',
    ],
    ['by its first candidate that resolves', [sku('drums'), sku('pads'), sku('keys-2')], [], 'p-pads'],
    ['not by a vendor id that happens to be a slug', [vendorId('pads')], [], 'unmatched'],
    ['not by a vendor id in a general mapping', [vendorId('93')], [mapping('93', 'p-pads')], 'unmatched'],
    [
      'by a vendor id mapped for its platform',
      [vendorId('93')],
      [mapping('93', 'p-pads', 'storefront-a')],
      'p-pads',
    ],
    ['to the product whose id it is, in whatever case', [sku(' P-PADS ')], [], 'p-pads'],
    ['by a mapping before an id', [sku('p-pads')], [mapping('p-pads', 'p-keys')], 'p-keys'],
    ['by an id before the slug of another product', [sku('p-drums')], [], 'p-drums'],
    ['not by a vendor id that happens to be the id of a product', [vendorId('p-pads')], [], 'unmatched'],
    ['to “not ours” when an operator said so', [sku('pads')], [mapping('pads', null)], 'not-ours'],
  ])('%s', (_, candidates, mappings, expected) => {
    expect(match(candidates, mappings)).toBe(expected);
  });
});

describe('a slug', () => {
  it.each([
    ['Felt Piano 2', 'felt-piano-2'],
    ['--A--B--', 'a-b'],
    ['Ｐａｄｓ', 'pads'],
    ['日本', ''],
  ])('of %j is %j', (text, slug) => expect(normalizeSlug(text)).toBe(slug));

  it('has only lower-case letters, digits and single hyphens inside, and is its own slug', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const slug = normalizeSlug(text);
        expect(slug).toMatch(/^([a-z0-9]+(-[a-z0-9]+)*)?$/);
        expect(normalizeSlug(slug)).toBe(slug);
      }),
    );
  });
});

describe('a product', () => {
  it.each([
    ['published', 'v', true],
    ['archived', 'v', true],
    ['draft', 'v', 'draft'],
    ['published', null, 'no-live-version'],
    ['archived', null, 'no-live-version'],
    ['draft', null, 'draft'],
  ] as const)(
    'that is %s with the live version %j: deliverable is %j',
    (status, activeVersionId, expected) => {
      const evaluated = checkDeliverability({ status, activeVersionId });
      expect(evaluated.deliverable || evaluated.why).toBe(expected);
    },
  );
});
