import { type Static, type TObject, type TSchemaOptions, type TUnsafe, Type } from 'typebox';

// For responses: a nullable type serializes at once, where a union would be tried one type after another.

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
