import pg from 'pg';

/**
 * Asks the database a trivial question over a connection of its own, so that a busy pool is not mistaken for
 * a dead database, nor an open socket to a hung one for a living database. `refused`: the server is there,
 * and says that it will not answer. `silent`: nobody is there, or nobody spoke in time.
 */
export async function askDatabase(url: string, withinMs: number): Promise<'answered' | 'refused' | 'silent'> {
  const client = new pg.Client({ connectionString: url, application_name: 'handover readiness' });
  client.on('error', () => undefined);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'silent'>((resolve) => {
    timer = setTimeout(resolve, withinMs, 'silent');
  });
  const asked = client
    .connect()
    .then(() => client.query('select 1'))
    .then(
      () => 'answered' as const,
      (error) => (error instanceof pg.DatabaseError ? 'refused' : 'silent'),
    );
  const answer = await Promise.race([asked, late]);
  clearTimeout(timer);
  // A hung server would never answer a polite goodbye.
  client.connection.stream.destroy();
  return answer;
}
