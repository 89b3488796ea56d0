import { type Static, type TObject, type TSchemaOptions, type TUnsafe, Type } from 'typebox';

// The fields of documented objects, each with its description and an example.

/** The ids of the examples: those of one sale, so that they agree with each other. */
export const EXAMPLE_IDS = {
  organisation: '019c3f1c-02be-7d10-b5a3-8e4f6c7d9a20',
  product: '019c3f1e-7a52-7c04-9d1b-3f6a2e8b5c11',
  version: '019c3f20-11d8-7b6e-8a40-52c9d7e01f37',
  delivery: '019c3f2a-8f6c-7d02-b9e4-1a2b3c4d5e6f',
  customer: '019c3f2a-90b0-7a3d-8f12-6b5c4d3e2f10',
  purchase: '019c3f2a-90b1-7e55-a1c8-4d7f30e2b6a9',
  link: '019c3f2a-90b2-7c31-8d55-0f1e2d3c4b5a',
  session: '019c3f2b-1c2d-7e3f-8a4b-5c6d7e8f9a0b',
};

export function text(description: string, example: string) {
  return Type.String({ description, examples: [example] });
}

export function uuid(description: string, example: string) {
  return Type.String({ format: 'uuid', description, examples: [example] });
}

export function time(description: string, example: string) {
  return Type.String({
    format: 'date-time',
    description: `${description} ISO 8601, UTC.`,
    examples: [example],
  });
}

export function integer(description: string, example: number) {
  return Type.Integer({ description, examples: [example] });
}

// For responses: a nullable type serializes at once, where a union would be tried one type after another.

export function nullableText(description: string, example: string) {
  return nullableString({ description, examples: [example] });
}

export function nullableUuid(description: string, example: string) {
  return nullableString({ format: 'uuid', description, examples: [example] });
}

export function nullableTime(description: string, example: string) {
  return nullableString({ format: 'date-time', description, examples: [example] });
}

export function nullableString(
  options: TSchemaOptions & { readonly format?: string },
): TUnsafe<string | null> {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], ...options });
}

export function nullableObject<Schema extends TObject>(
  schema: Schema,
  options: TSchemaOptions,
): TUnsafe<Static<Schema> | null> {
  return Type.Unsafe<Static<Schema> | null>({ ...schema, type: ['object', 'null'], ...options });
}

export function nullableEnum<Value extends string>(
  values: readonly Value[],
  options: TSchemaOptions,
): TUnsafe<Value | null> {
  return Type.Unsafe<Value | null>({ enum: [...values, null], ...options });
}
