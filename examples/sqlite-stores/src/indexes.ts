import { normalizeEmail } from '@handover/domain';
import type { Memory } from '@handover/domain/memory';

type Rows = { readonly [Table in keyof Memory]: Memory[Table] extends Map<string, infer Row> ? Row : never };

/** Values that must be unique besides the keys of tables. The index decides between concurrent inserts. Null: not indexed. */
const UNIQUE: { readonly [Table in keyof Memory]?: (row: Rows[Table]) => string | null } = {
  users: ({ email }) => normalizeEmail(email),
  products: ({ orgId, slug }) => `${orgId} ${slug}`,
  versions: ({ productId, version }) => `${productId} ${version}`,
  customers: ({ orgId, email }) => `${orgId} ${normalizeEmail(email)}`,
  connections: ({ orgId, platform, name }) => `${orgId} ${platform} ${name}`,
  // Sales recorded by hand have no order.
  purchases: ({ orgId, connectionId, orderId, productId }) =>
    orderId === null ? null : `${orgId} ${connectionId} ${orderId} ${productId}`,
};

export function uniqueKeyOf(table: keyof Memory, row: unknown): string | null {
  const unique = UNIQUE[table] as ((row: unknown) => string | null) | undefined;
  return unique?.(row) ?? null;
}

/** The members by which rows are searched, the organisation first. */
export const INDEXES: {
  readonly [Table in keyof Memory]?: readonly (readonly (keyof Rows[Table] & string)[])[];
} = {
  keys: [['userId']],
  userSessions: [['userId']],
  passkeys: [['userId']],
  devices: [['userId']],
  products: [['orgId', 'slug']],
  versions: [['productId', 'version']],
  mappings: [
    ['orgId', 'sku'],
    ['orgId', 'productId'],
  ],
  connections: [['orgId', 'platform']],
  deliveries: [['orgId', 'connectionId', 'orderId']],
  customers: [['orgId']],
  purchases: [['orgId', 'connectionId', 'orderId'], ['receiptId'], ['customerId']],
  purchaseAliases: [['purchaseId']],
  links: [['purchaseId']],
  emails: [
    ['orgId', 'kind', 'status'],
    ['orgId', 'subject'],
  ],
  activity: [['orgId', 'subjectId']],
  alerts: [['mailId']],
  sessions: [['linkId'], ['orgId']],
  rejected: [['orgId', 'platform']],
  rejections: [['orgId']],
};
