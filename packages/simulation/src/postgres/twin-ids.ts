/** Ids that each store makes itself, such as a claim's: they differ, and mean the same. */
export interface TwinIds {
  /** Whether these may be two ids of one thing; from then on they are. */
  accept(path: string, postgres: unknown, memory: unknown): boolean;
  /** Records that two alert mails are the same. */
  linkAlertMails(postgres: string, memory: string): void;
  /** The id of an alert mail in memory, by PostgreSQL's id. */
  alertMailInMemory(postgres: string): string;
  alertMailOnPostgres(memory: string): string;
  /** The arguments of a call, with the ids of each store. */
  toPostgres(call: string, value: unknown): unknown;
  toMemory(call: string, value: unknown): unknown;
}

/** The members of answers that contain such an id. */
const OWN_IDS = /\.claimId$/;

export function createTwinIds(): TwinIds {
  // In memory, a claim's id is unique per mail only. Callers know PostgreSQL's, which is unique.
  const claims = new Map<unknown, unknown>();
  // An alert mail may have the id of its first alert's subject, so the call decides which of them is meant.
  const alertMails = createPairs();
  const isOfEmails = (call: string) => call.startsWith('outgoingEmails.');
  return {
    accept: (path, postgres, memory) => {
      if (typeof postgres !== 'string' || typeof memory !== 'string') return false;
      if (alertMails.inMemory.get(postgres) === memory || claims.get(postgres) === memory) return true;
      if (!OWN_IDS.test(path) || claims.has(postgres)) return false;
      claims.set(postgres, memory);
      return true;
    },
    linkAlertMails: alertMails.link,
    alertMailInMemory: (postgres) => String(alertMails.inMemory.get(postgres) ?? postgres),
    alertMailOnPostgres: (memory) => String(alertMails.onPostgres.get(memory) ?? memory),
    toPostgres: (call, value) => (isOfEmails(call) ? (alertMails.onPostgres.get(value) ?? value) : value),
    toMemory: (call, value) =>
      claims.get(value) ?? (isOfEmails(call) ? (alertMails.inMemory.get(value) ?? value) : value),
  };
}

function createPairs() {
  const inMemory = new Map<unknown, unknown>();
  const onPostgres = new Map<unknown, unknown>();
  return {
    inMemory,
    onPostgres,
    link: (postgres: unknown, memory: unknown): void => {
      inMemory.set(postgres, memory);
      onPostgres.set(memory, postgres);
    },
  };
}
