import pg from 'pg';

/** `refused`: the server is up and refuses to answer. `silent`: it did not answer in time. */
export type NoAnswer = 'refused' | 'silent';

/** The result of `ask`, unless the server refuses or does not answer in time. */
export async function overNewConnection<Answer>(
  url: string,
  withinMs: number,
  ask: (client: pg.Client) => Promise<Answer>,
): Promise<Answer | NoAnswer> {
  const client = new pg.Client({ connectionString: url, application_name: 'handover question' });
  client.on('error', () => undefined);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'silent'>((resolve) => {
    timer = setTimeout(resolve, withinMs, 'silent');
  });
  const asked = client
    .connect()
    .then(() => ask(client))
    .catch((error): NoAnswer => (error instanceof pg.DatabaseError ? 'refused' : 'silent'));
  const answer = await Promise.race([asked, late]);
  clearTimeout(timer);
  // A hung server would not answer a graceful close.
  client.connection.stream.destroy();
  return answer;
}
