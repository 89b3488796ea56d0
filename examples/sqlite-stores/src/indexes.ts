import { normalizeEmail } from '@handover/domain';
import type { Memory } from '@handover/domain/memory';

type Rows = { readonly [Table in keyof Memory]: Memory[Table] extends Map<string, infer Row> ? Row : never };

/** What is unique besides the key of its table: the index says which of two was first. Null: nothing is. */
const UNIQUE: { readonly [Table in keyof Memory]?: (row: Rows[Table]) => string | null } = {
  users: ({ email }) => normalizeEmail(email),
  products: ({ orgId, slug }) => `${orgId} ${slug}`,
  versions: ({ productId, version }) => `${productId} ${version}`,
  customers: ({ orgId, email }) => `${orgId} ${normalizeEmail(email)}`,
  connections: ({ orgId, platform, name }) => `${orgId} ${platform} ${name}`,
  // A sale that was recorded by hand has no order.
  purchases: ({ orgId, connectionId, orderId, productId }) =>
    orderId === null ? null : `${orgId} ${connectionId} ${orderId} ${productId}`,
};

export function uniqueKeyOf(table: keyof Memory, row: unknown): string | null {
  const unique = UNIQUE[table] as ((row: unknown) => string | null) | undefined;
  return unique?.(row) ?? null;
}

/** What rows are searched by, the organisation first. */
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
