import type pg from 'pg';
import { type CopyToStreamQuery, to as copyTo } from 'pg-copy-streams';

/**
 * The rows of a query in COPY's text format. A lost connection is the reader's error, also of a reader that comes later.
 *
 * The driver emits `error` on the stream at once. A reader that opens its file first does not listen yet, and Node
 * ends a process whose stream has an error that nobody listens to. A destroyed stream keeps its error for the reader.
 */
export function copyOut(client: pg.ClientBase, query: string): CopyToStreamQuery {
  const rows = client.query(copyTo(`copy (${query}) to stdout`));
  return rows.on('error', (error) => rows.destroy(error));
}
