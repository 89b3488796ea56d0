import type { Platform } from '@handover/domain';
import { Type } from 'typebox';
import { nullableUuid, text } from '../openapi/fields.ts';
import type { OperationDocs } from '../openapi/operation-docs.ts';
import { platformLabel } from '../openapi/platform-label.ts';
import { bodyRefusals, json, refusals } from '../openapi/responses.ts';

const EXAMPLE_PRODUCT_ID = '019c3f1e-7a52-7c04-9d1b-3f6a2e8b5c11';

export const SkuMappingBody = Type.Object(
  {
    sku: text('Trimmed and in lower case: mappings compare SKUs without regard to case.', 'pad-1'),
    platform: Type.Unsafe<Platform | null>({
      ...platformLabel({
        description: 'The platform it holds for; `null` for all. One for a platform goes before one for all.',
      }),
      type: ['string', 'null'],
    }),
    productId: nullableUuid(
      'The product it delivers; `null`: the SKU is ignored, neither flagged nor alerted.',
      EXAMPLE_PRODUCT_ID,
    ),
  },
  { $id: 'SkuMapping', description: 'Which product a SKU, or a vendor’s id, delivers.' },
);

export const SkuParams = Type.Object({
  sku: text(
    'The SKU or vendor’s id, percent-encoded: `A/B` is `A%2FB`. 1 to 200 characters; case and blanks around it do not matter.',
    'PAD-1',
  ),
});

export const SkuMappingChangeBody = Type.Object(
  {
    productId: Type.Union([Type.String(), Type.Null()], {
      description: 'A product of your organisation. `null`: the SKU is ignored, neither flagged nor alerted.',
    }),
    platform: Type.Optional(
      Type.Union([platformLabel({ description: 'A platform.' }), Type.Null()], {
        description:
          'Only for this platform; left out or `null`: for all. Vendors’ ids need one, because product 93 of one shop is not product 93 of another.',
      }),
    ),
  },
  {
    description: 'The mapping of the SKU.',
    examples: [{ productId: EXAMPLE_PRODUCT_ID, platform: 'storefront-a' }],
  },
);

export const SkuMappingQuery = Type.Object({
  platform: Type.Optional(
    platformLabel({
      description: 'The platform whose mapping goes; left out: the one for all platforms.',
    }),
  ),
});

const shared = { tag: 'SKU mappings', origin: 'addition', access: 'owner or admin' } as const;

export const listSkuMappingsDocs: OperationDocs = {
  ...shared,
  operationId: 'listSkuMappings',
  scope: 'sku-mappings:read',
  summary: 'List mappings',
  description: 'Every mapping of your organisation, by SKU, as one streamed array.',
  responses: {
    200: json(
      'The mappings. An empty array is a valid result.',
      Type.Array(SkuMappingBody, { description: 'By SKU; of one SKU, the one for all platforms first.' }),
    ),
    ...refusals(),
  },
};

export const putSkuMappingDocs: OperationDocs = {
  ...shared,
  operationId: 'putSkuMapping',
  scope: 'sku-mappings:write',
  summary: 'Map a SKU',
  description:
    'Maps a SKU to a product, on every platform or on one, and replaces the mapping before. Orders that waited for it are processed again.',
  responses: {
    200: json('The mapping as it is now.', SkuMappingBody),
    ...bodyRefusals({
      400: 'The SKU or a member cannot be used. The sentence names it.',
      404: 'No product of your organisation has this id.',
    }),
  },
};

export const deleteSkuMappingDocs: OperationDocs = {
  ...shared,
  operationId: 'deleteSkuMapping',
  scope: 'sku-mappings:write',
  summary: 'Remove a mapping',
  description: 'Takes a mapping back. What was delivered by it stays delivered.',
  responses: {
    204: { description: 'It is gone.' },
    ...refusals({
      400: '`platform` is none that we know.',
      404: 'There is no mapping of this SKU for this platform (or, without one, for all platforms).',
    }),
  },
};
