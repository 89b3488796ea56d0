import pg from 'pg';

/** `refused`: the server is there, and says that it will not answer. `silent`: nobody spoke in time. */
export type NoAnswer = 'refused' | 'silent';

/** What `ask` resolves to, unless the server refuses to say, or is not heard in time. */
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
  // A hung server would never answer a polite goodbye.
  client.connection.stream.destroy();
  return answer;
}
