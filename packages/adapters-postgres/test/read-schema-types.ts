import { readFileSync } from 'node:fs';
import { parseSync, type TSInterfaceDeclaration, type TSSignature, type TSType } from 'oxc-parser';

/** What `schema.ts` says of a column: `types` are those that PostgreSQL may have for what is read as this. */
export interface ColumnOfTypes {
  readonly types: readonly string[];
  readonly nullable: boolean;
  /** An insert may omit it. */
  readonly optional: boolean;
  readonly computed: boolean;
}

/** The columns of `Schema`, by `table.column`. */
export function readSchemaTypes(): ReadonlyMap<string, ColumnOfTypes> {
  const tables = ['schema.ts', 'access-tables.ts', 'log-tables.ts']
    .flatMap(readInterfaces)
    .flatMap(({ body }) => body.body);
  return new Map(
    tables.flatMap((table) => {
      const [name, type] = readMember(table);
      if (type.type !== 'TSTypeLiteral')
        throw new Error(`The table ${name} is to be written as its columns.`);
      return type.members.map((member) => {
        const [column, columnType] = readMember(member);
        return [`${name}.${column}`, readColumn(columnType)] as const;
      });
    }),
  );
}

function readInterfaces(file: string): readonly TSInterfaceDeclaration[] {
  const { program } = parseSync(
    file,
    readFileSync(new URL(`../src/database/${file}`, import.meta.url), 'utf8'),
  );
  return program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration') return [];
    return statement.declaration?.type === 'TSInterfaceDeclaration' ? [statement.declaration] : [];
  });
}

function readMember(member: TSSignature): readonly [name: string, type: TSType] {
  if (member.type !== 'TSPropertySignature' || member.key.type !== 'Identifier' || !member.typeAnnotation) {
    throw new Error(`A ${member.type} is not a column of a table.`);
  }
  return [member.key.name, member.typeAnnotation.typeAnnotation];
}

function readColumn(type: TSType): ColumnOfTypes {
  const { name, of } = readReference(type);
  const [selected = type, inserted] = name in WRAPPERS ? of : [];
  const parts = partsOf(selected).filter(({ type: kind }) => kind !== 'TSNullKeyword');
  return {
    types: [...new Set(parts.flatMap(typesOf))],
    nullable: parts.length < partsOf(selected).length,
    optional:
      name === 'Generated' ||
      (inserted !== undefined && partsOf(inserted).some(({ type: kind }) => kind === 'TSUndefinedKeyword')),
    computed: name === 'GeneratedAlways',
  };
}

/** Kysely's wrapper around the type that is read. */
const WRAPPERS = { Generated: true, GeneratedAlways: true, ColumnType: true };

function partsOf(type: TSType): readonly TSType[] {
  return type.type === 'TSUnionType' ? type.types : [type];
}

/** Numbers that may outgrow a double are read as text. A name of the domain is a choice of texts. */
function typesOf(type: TSType): readonly string[] {
  if (type.type === 'TSStringKeyword') return ['text', 'uuid', 'bigint', 'numeric', 'int8multirange'];
  if (type.type === 'TSNumberKeyword') return ['integer'];
  if (type.type === 'TSBooleanKeyword') return ['boolean'];
  if (type.type === 'TSArrayType') return ['ARRAY'];
  return [BY_NAME[readReference(type).name] ?? 'text'];
}

const BY_NAME: Readonly<Record<string, string>> = {
  Date: 'timestamp with time zone',
  Buffer: 'bytea',
  Readonly: 'jsonb',
  EmailDetails: 'jsonb',
  SentReceipt: 'jsonb',
};

function readReference(type: TSType): { readonly name: string; readonly of: readonly TSType[] } {
  if (type.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') return { name: '', of: [] };
  return { name: type.typeName.name, of: type.typeArguments?.params ?? [] };
}
