import { type Static, type TObject, type TSchemaOptions, type TUnsafe, Type } from 'typebox';

// The fields of documented objects, each with its description and an example.

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
