import {
  API_KEY_CONTEXT,
  mapColumn,
  type SecretBox,
  type SecretBoxes,
  secretContext,
} from '@handover/adapters-postgres';

/** Maps an encrypted value, or its text. `context`: of the row that has it. */
type MapSecret = (
  value: string,
  box: SecretBox,
  context: string,
  row: Readonly<Record<string, string | null>>,
) => string;

/** The rows of a table with each of its secrets mapped. Those of a table without secrets are as they were. */
export function mapSecrets(
  boxes: SecretBoxes,
  { name, columns }: { readonly name: string; readonly columns: readonly string[] },
  rows: AsyncIterable<Uint8Array>,
  map: MapSecret,
): AsyncIterable<Uint8Array> {
  if (name === 'api_keys') {
    return mapColumn(rows, columns, 'sealed', (value, row) =>
      map(value, boxes.apiKeys, API_KEY_CONTEXT, row),
    );
  }
  if (name !== 'connection_secrets') return rows;
  return mapColumn(rows, columns, 'sealed', (value, row) =>
    map(value, boxes.connectionSecrets, secretContext(row.org_id ?? '', row.connection_id ?? ''), row),
  );
}
