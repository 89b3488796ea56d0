import { isKnownSchema, type RowsMeasure, type TransferredWeek } from '@handover/adapters-postgres';
import { Type } from 'typebox';
import { Errors } from 'typebox/value';
import { TransferError } from './transfer-error.ts';

/** What an export holds. It is written last: an export without it is unfinished. */
export interface Manifest {
  readonly format: typeof FORMAT;
  readonly exportedAt: string;
  /** The version of the program. */
  readonly program: string;
  /** The last migration of the tables. */
  readonly schema: string;
  /** Null: the whole installation. */
  readonly organisation: string | null;
  /** Which secrets of HANDOVER_SECRET its encrypted values need. Empty for an organisation: they came out of it. */
  readonly keyNumbers: readonly string[];
  readonly tables: readonly ManifestTable[];
  /** How the bodies of requests are divided. Left out by earlier programs. */
  readonly bodyWeeks?: readonly TransferredWeek[];
  /** The list of stored files, and their sizes together. */
  readonly files: ManifestTable & { readonly totalBytes: number };
}

export interface ManifestTable extends RowsMeasure {
  readonly name: string;
  readonly columns: readonly string[];
}

export const FORMAT = 'handover-export-1';

const hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** Also the name of a file: it leads nowhere else. */
const name = Type.String({ pattern: '^[a-z][a-z0-9_]{0,62}$' });
const uuid = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' });

const table = {
  name,
  columns: Type.Array(name, { maxItems: 1_600 }),
  rows: count,
  bytes: count,
  sha256: hash,
  rowsHash: hash,
};

const SHAPE = Type.Object({
  format: Type.Literal(FORMAT),
  exportedAt: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' }),
  program: Type.String({ maxLength: 200 }),
  schema: Type.String({ maxLength: 200 }),
  organisation: Type.Union([Type.Null(), uuid]),
  keyNumbers: Type.Array(Type.String({ maxLength: 100 })),
  tables: Type.Array(Type.Object(table), { maxItems: 1_000 }),
  bodyWeeks: Type.Optional(
    Type.Array(
      Type.Object({ table: Type.String({ maxLength: 63 }), bounds: Type.String({ maxLength: 200 }) }),
    ),
  ),
  files: Type.Object({ ...table, totalBytes: count }),
});

/** Reads what is in the folder of an export. Anybody could have written it there. */
export function readManifest(text: string): Manifest {
  const value = parse(text);
  const format = typeof value === 'object' && value !== null && 'format' in value ? value.format : null;
  if (typeof format === 'string' && /^handover-export-\d{1,9}$/.test(format) && format !== FORMAT) {
    throw new TransferError(
      'no-export',
      'The export was made by a newer version of Handover. Install that version.',
    );
  }
  const [error] = Errors(SHAPE, value);
  if (error) throw damaged(`${error.instancePath.slice(1) || 'it'} ${error.message}`);
  return value as Manifest;
}

/** Throws for an export whose tables only a newer version has. */
export function refuseUnknownSchema({ schema }: Manifest): void {
  if (isKnownSchema(schema)) return;
  throw new TransferError(
    'other-schema',
    `The export is of a newer version of Handover (it has ${schema}). Install that version, and import with it.`,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw damaged(error instanceof Error ? error.message : String(error));
  }
}

function damaged(what: string): TransferError {
  return new TransferError(
    'damaged',
    `manifest.json of the export is damaged: ${what}. Nothing was changed. Take another copy of the export, or make it again.`,
  );
}
