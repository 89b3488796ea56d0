/** The ways to do something. `automatic`: the service did it, or a buyer. */
export const ACTIVITY_VIAS = ['dashboard', 'api-key', 'command-line', 'automatic'] as const;
/** The way in which something was done. */
export type ActivityVia = (typeof ACTIVITY_VIAS)[number];

/** Who did something, and how: taken from the request or the command. */
export interface ActivityOrigin {
  /** The e-mail address of a user. Absent when nobody was identified, and on the command line. */
  readonly actor?: string;
  readonly via: ActivityVia;
  /** The first and last characters of the API key; of a sign-in, the browser and a coarse network. Never a secret. */
  readonly viaDetail?: string;
}

/** Done by the service, or by a buyer. */
export const AUTOMATIC: ActivityOrigin = { via: 'automatic' };
/** Done by a command, so by somebody with a shell on the machine. */
export const COMMAND_LINE: ActivityOrigin = { via: 'command-line' };

/** An entry of the activity log: what was done, by whom and how. */
export interface ActivityEntry extends ActivityOrigin {
  readonly id: string;
  readonly at: Date;
  readonly kind: ActivityKind;
  /** The id of what it was done to: a purchase, a product, a user, … */
  readonly subjectId: string;
  /** One sentence for people. */
  readonly summary: string;
}

/** The kind of an entry of the activity log. */
export type ActivityKind =
  | 'order-delivered'
  | 'sale-recorded'
  | 'alert-given-up'
  | 'receipt-resent'
  | 'address-corrected'
  | 'download-completed'
  | 'link-requested'
  | 'link-revoked'
  | 'link-restored'
  | 'bulk-action-started'
  | 'bulk-action-ended'
  | 'bulk-action-cancelled'
  | 'test-order-deleted'
  | 'buyer-erased'
  | 'delivery-redelivered'
  | 'address-added'
  | 'action-item-dismissed'
  | 'action-item-restored'
  | 'product-changed'
  | 'integration-changed'
  | 'sku-mapped'
  | 'team-changed'
  | 'organisation-changed'
  | 'test-mail-sent'
  | 'api-key-refreshed'
  | 'api-key-added'
  | 'api-key-revoked'
  | 'signed-in'
  | 'signed-out'
  | 'session-ended'
  | 'passkey-added'
  | 'passkey-removed'
  | 'sign-in-refused'
  | 'sign-in-link-issued';

/** The filters of the log by kind. `orders` has what happens without a person: delivered orders and downloads. */
export const ACTIVITY_GROUPS = ['people', 'orders', 'purchases', 'products', 'settings', 'sign-ins'] as const;
/** A group of kinds of entries. */
export type ActivityGroup = (typeof ACTIVITY_GROUPS)[number];

const GROUP_OF: Readonly<Record<ActivityKind, Exclude<ActivityGroup, 'people'>>> = {
  'order-delivered': 'orders',
  'download-completed': 'orders',
  'sale-recorded': 'purchases',
  'receipt-resent': 'purchases',
  'address-corrected': 'purchases',
  'address-added': 'purchases',
  'link-requested': 'purchases',
  'link-revoked': 'purchases',
  'link-restored': 'purchases',
  'bulk-action-started': 'purchases',
  'bulk-action-ended': 'purchases',
  'bulk-action-cancelled': 'purchases',
  'test-order-deleted': 'purchases',
  'buyer-erased': 'purchases',
  'delivery-redelivered': 'purchases',
  'product-changed': 'products',
  'sku-mapped': 'products',
  'integration-changed': 'settings',
  'team-changed': 'settings',
  'organisation-changed': 'settings',
  'test-mail-sent': 'settings',
  'api-key-refreshed': 'settings',
  'api-key-added': 'settings',
  'api-key-revoked': 'settings',
  'action-item-dismissed': 'settings',
  'action-item-restored': 'settings',
  'alert-given-up': 'settings',
  'signed-in': 'sign-ins',
  'signed-out': 'sign-ins',
  'session-ended': 'sign-ins',
  'passkey-added': 'sign-ins',
  'passkey-removed': 'sign-ins',
  'sign-in-refused': 'sign-ins',
  'sign-in-link-issued': 'sign-ins',
};

/** The kinds of entries in a group. `people`: all except those of `orders`. */
export function kindsOfGroup(group: ActivityGroup): readonly ActivityKind[] {
  const kinds = Object.keys(GROUP_OF) as readonly ActivityKind[];
  return kinds.filter((kind) =>
    group === 'people' ? GROUP_OF[kind] !== 'orders' : GROUP_OF[kind] === group,
  );
}
