import { PRODUCT_STATUSES } from '@handover/domain';
import { Type } from 'typebox';
import { EXAMPLE_IDS, nullableText, nullableUuid, text, time, uuid } from '../openapi/fields.ts';

// Request and response bodies of products, described for API clients. The presenters are typed by the
// response schemas.

export const ProductBody = Type.Object(
  {
    id: uuid(
      'Made by the server. Pass this, never the slug, wherever a product id is taken.',
      EXAMPLE_IDS.product,
    ),
    orgId: uuid('The organisation that owns it.', EXAMPLE_IDS.organisation),
    name: text('What buyers read.', 'Felt Piano'),
    slug: text('Lower-case letters, digits and hyphens; unique within the organisation.', 'felt-piano'),
    description: nullableText('Free text over any number of lines.', 'Eleven soft pianos.'),
    status: Type.Enum([...PRODUCT_STATUSES], {
      description:
        '`draft`: not delivered yet. `published`: delivered. `archived`: no longer sold; what was paid for is still delivered.',
      examples: ['published'],
    }),
    activeVersionId: nullableUuid(
      'The version that buyers get now. `null`: none, so nothing can be delivered.',
      EXAMPLE_IDS.version,
    ),
    createdAt: time('When it was made.', '2026-03-02T09:00:00.000Z'),
    updatedAt: time('When it last changed.', '2026-03-02T09:12:30.000Z'),
  },
  { $id: 'Product', description: 'Something the organisation sells.' },
);

const versionMembers = {
  id: uuid('Made by the server.', EXAMPLE_IDS.version),
  productId: uuid('The product it belongs to.', EXAMPLE_IDS.product),
  version: text('Its dotted label; unique within the product.', '2.1.0'),
  status: Type.Enum(['preparing', 'ready'], {
    description:
      '`preparing`: files may still be added. `ready`: it was active, so its files stay as they are.',
    examples: ['ready'],
  }),
  createdAt: time('When it was opened.', '2026-03-02T09:05:00.000Z'),
};

export const VersionBody = Type.Object(versionMembers, {
  $id: 'ProductVersion',
  description: 'One version of a product.',
});

export const FileBody = Type.Object(
  {
    name: text('The name that buyers’ copies get.', 'felt-piano-2.1.zip'),
    size: Type.Integer({ minimum: 0, description: 'Bytes.', examples: [3_103_784_960] }),
    sha256: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'SHA-256 of the content, 64 hex digits.',
      examples: ['2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'],
    }),
    displayName: Type.Optional(
      nullableText(
        'What pages and mails call it for buyers; `null` for its name. Not in the answer to an upload.',
        'Windows',
      ),
    ),
  },
  { $id: 'ProductFile', description: 'A file of a version.' },
);

export const VersionWithFilesBody = Type.Object(
  {
    ...versionMembers,
    files: Type.Array(FileBody, { description: 'What buyers can download, in the order of their page.' }),
  },
  { $id: 'ProductVersionWithFiles', description: 'A version of a product, and its files.' },
);

export const ProductRowBody = Type.Object(
  {
    product: ProductBody,
    activeVersion: Type.Union([VersionBody, Type.Null()], {
      description: 'The version that buyers get now; `null` when none is active.',
    }),
  },
  { $id: 'ProductListRow', description: 'A product and its active version.' },
);

export const ActivatedBody = Type.Object(
  { product: ProductBody, activeVersion: VersionWithFilesBody },
  { $id: 'ActivatedVersion', description: 'The product as it is now, and the version that went live.' },
);

// An id of another shape is as unknown as an unused one: 404, not 400.
const productId = text('The id of a product of your organisation, not its slug.', EXAMPLE_IDS.product);
const versionId = text('The id of a version of that product.', EXAMPLE_IDS.version);

export const ProductParams = Type.Object({ productId });
export const VersionParams = Type.Object({ productId, versionId });
export const FileParams = Type.Object({
  productId,
  versionId,
  name: text(
    'The file’s name, as buyers see it: 1 to 200 characters without slashes. Percent-encode it.',
    'felt-piano-2.1.zip',
  ),
});

export const NewProductBody = Type.Object(
  {
    name: Type.String({ description: 'What buyers read. 1 to 200 characters, one line.' }),
    slug: Type.String({
      description:
        'Normalised by the server: `Felt Piano!` becomes `felt-piano`. At most 100 characters, unique within the organisation.',
    }),
    description: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'Free text over any number of lines, at most 10,000 characters.',
      }),
    ),
  },
  {
    description: 'The new product. Members that are not listed here are ignored.',
    examples: [{ name: 'Felt Piano', slug: 'felt-piano', description: 'Eleven soft pianos.' }],
  },
);

export const ProductChangeBody = Type.Object(
  {
    name: Type.Optional(Type.String({ description: 'What buyers read. 1 to 200 characters, one line.' })),
    slug: Type.Optional(
      Type.String({ description: 'Normalised by the server; unique within the organisation.' }),
    ),
    description: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'Free text over any number of lines; `null` takes it away.',
      }),
    ),
    status: Type.Optional(
      Type.Enum([...PRODUCT_STATUSES], {
        description: 'Publishing a product with a live version lets it be delivered.',
      }),
    ),
    activeVersionId: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description:
          'A version of this product that is `ready`. `null`: nothing is delivered for the product.',
      }),
    ),
  },
  {
    description:
      'Any of these members; the others stay as they are. A whole row that was read can be sent back: members that cannot be changed are ignored.',
    examples: [{ status: 'published' }],
  },
);

export const NewVersionBody = Type.Object(
  {
    version: Type.String({
      description:
        'A label, such as `2.1.0` or `2.0 beta`: letters, digits and single spaces or `.` `-` `_` `+` between, at most 50 characters.',
    }),
  },
  { description: 'The new version.', examples: [{ version: '2.1.0' }] },
);
