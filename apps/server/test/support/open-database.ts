import pg from 'pg';
import { undoLater } from '../../../../test/undo.ts';

/** The database itself, to make time pass and accidents happen. Closed with the test. */
export async function openDatabase(url = ''): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  undoLater(() => client.end());
  return client;
}
