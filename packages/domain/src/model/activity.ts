/** The ways in which something can be done; `automatic`: by the service itself, or by a buyer. */
export const ACTIVITY_VIAS = ['dashboard', 'api-key', 'command-line', 'automatic'] as const;
/** The way in which something was done. */
export type ActivityVia = (typeof ACTIVITY_VIAS)[number];

/** Who did something, and how. Entries in the activity log have it from the request or the command they come from. */
export interface ActivityOrigin {
  /** The e-mail address of a user. Absent when nobody was identified, and on the command line. */
  readonly actor?: string;
  readonly via: ActivityVia;
  /** The ends of the API key; of a sign-in, the browser and the network in a coarse form. Never a secret. */
  readonly viaDetail?: string;
}

/** By the service itself, or by a buyer. */
export const AUTOMATIC: ActivityOrigin = { via: 'automatic' };
/** By a command on the machine: by somebody who has a shell there. */
export const COMMAND_LINE: ActivityOrigin = { via: 'command-line' };

/** What was done, by whom and how, as the activity log keeps it. */
export interface ActivityEntry extends ActivityOrigin {
  readonly id: string;
  readonly at: Date;
  readonly kind: ActivityKind;
  /** What it was done to: a purchase, a product, a user, … */
  readonly subjectId: string;
  /** One sentence for people. */
  readonly summary: string;
}

/** What was done. */
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

/** What entries are about. Orders and downloads happen by themselves and are many: lists show them apart. */
export const ACTIVITY_GROUPS = ['people', 'orders', 'purchases', 'products', 'settings', 'sign-ins'] as const;
/** What an entry is about. */
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

/** The kinds of entries of a group. `people`: all but orders and downloads. */
export function kindsOfGroup(group: ActivityGroup): readonly ActivityKind[] {
  const kinds = Object.keys(GROUP_OF) as readonly ActivityKind[];
  return kinds.filter((kind) =>
    group === 'people' ? GROUP_OF[kind] !== 'orders' : GROUP_OF[kind] === group,
  );
}
