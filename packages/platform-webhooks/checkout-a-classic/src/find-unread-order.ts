import { NotificationSchema } from './payload.ts';

/**
 * Whether a body says something under names that are neither ours nor the vendor's: in one that names an order and a
 * buyer, the product may be among it.
 */
export function hasUnknownNames(body: unknown): boolean {
  return listMembers(body).some(([name, value]) => !KNOWN_NAMES.has(name) && listTexts(value).length > 0);
}

/** What looks like an order's reference, whatever its name. */
export function findReference(body: unknown): string | null {
  return findText(body, /^[A-Z][A-Z0-9]*-\d+-\d+[BSX]?$/);
}

/** Whether anything looks like an e-mail address, be it one that was encoded twice, whatever its name. */
export function findAddress(body: unknown): string | null {
  return findText(body, /^[^\s@]+@[^\s@]+$/) ?? findText(body, /^[^\s@%]+%40[^\s@]+$/);
}

// https://fastspring.com/docs/classic/Notifications-Overview
const KNOWN_NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(NotificationSchema.properties),
  ...[
    'security_data',
    'security_hash',
    'isRebill',
    'originIp',
    'OrderReferrer',
    'OrderCoupons',
    'CustomerPhone',
  ],
  ...['Street1', 'Street2', 'City', 'Region', 'PostalCode', 'Country'].map((part) => `Address${part}`),
]);

/** Enough for any order, few enough that no sender can keep us busy. */
const MAX_VALUES = 1000;

function findText(body: unknown, shape: RegExp): string | null {
  const members = listMembers(body).filter(([name]) => !name.startsWith('security_'));
  const texts = listTexts(members.map(([, value]) => value));
  return texts.find((text) => text.length < 300 && shape.test(text)) ?? null;
}

function listMembers(body: unknown): readonly (readonly [string, unknown])[] {
  return typeof body === 'object' && body !== null ? Object.entries(body).slice(0, MAX_VALUES) : [];
}

/** The texts in a value, however deep, without recursion: nesting is the sender's choice. */
function listTexts(root: unknown): readonly string[] {
  const values: unknown[] = [root];
  // The list grows while it is read.
  for (const value of values) {
    const room = MAX_VALUES - values.length;
    if (room <= 0) break;
    if (typeof value === 'object' && value !== null) values.push(...Object.values(value).slice(0, room));
  }
  return values.flatMap((value) => (typeof value === 'string' ? value.trim() || [] : []));
}
