import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { cleanText } from './text.ts';

/**
 * More lines than an order has. A body within the size limit can contain over a million empty lines and
 * would block the process for seconds. One line beyond the limit is read, so that the excess can be
 * detected.
 */
export const MAX_LINES = 1000;

/**
 * Far longer than any field of an order. A longer text counts as absent: half of it could mean something
 * else.
 */
const MAX_TEXT_LENGTH = 100_000;

/** A payload as parsed: any member can be missing, whatever the schema says. */
export type AsRead<T> = unknown extends T
  ? unknown
  : T extends readonly (infer Item)[]
    ? readonly AsRead<Item>[]
    : T extends object
      ? { readonly [Member in keyof T]?: AsRead<T[Member]> }
      : T;

/**
 * Reads the members of a payload that the schema names. A member that does not fit its schema, null and
 * blank text count as absent: an invalid field may leave an order incomplete, but never stops it. Null when
 * the payload is not an object. Numbers are text here (see `parseJsonExactly`), and all text is cleaned
 * (see `cleanText`).
 */
export function readPayload<const Schema extends TObject>(
  schema: Schema,
  payload: unknown,
): AsRead<Static<Schema>> | null {
  if (!isRecord(payload)) return null;
  return readMembers(schema.properties, payload) as AsRead<Static<Schema>>;
}

function readMembers(
  properties: TProperties,
  value: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  // The hot path of every webhook, some with hundreds of members, so it allocates no lists.
  for (const name in properties) {
    const schema = properties[name];
    if (schema === undefined || !Object.hasOwn(value, name)) continue;
    const member = readMember(schema, value[name]);
    if (member !== undefined) members[name] = member;
  }
  return members;
}

function readMember(schema: TSchema, value: unknown): unknown {
  if (value === null) return undefined;
  if (Type.IsObject(schema)) return isRecord(value) ? readMembers(schema.properties, value) : undefined;
  if (Type.IsArray(schema)) return Array.isArray(value) ? readItems(schema.items, value) : undefined;
  if (!Value.Check(schema, value)) return undefined;
  if (typeof value !== 'string') return value;
  return value.length > MAX_TEXT_LENGTH ? undefined : (cleanText(value) ?? undefined);
}

function readItems(schema: TSchema, items: readonly unknown[]): readonly unknown[] {
  return items
    .slice(0, MAX_LINES + 1)
    .map((item) => readMember(schema, item))
    .filter((item) => item !== undefined);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
