import pg from 'pg';
import { undoLater } from '../../../../test/undo.ts';

/** A connection to the database, to simulate time and faults. Closed with the test. */
export async function openDatabase(url = ''): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  undoLater(() => client.end());
  return client;
}
