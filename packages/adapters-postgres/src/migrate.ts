import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { firstTables } from './migrations/0001-first-tables.ts';
import { salesAndSessions } from './migrations/0002-sales-and-sessions.ts';
import { indexOfLines } from './migrations/0003-index-of-lines.ts';
import { paymentAccounts } from './migrations/0004-payment-accounts.ts';
import { connectionRules } from './migrations/0005-connection-rules.ts';
import { alertsAndRetention } from './migrations/0006-alerts-and-retention.ts';
import { transfers } from './migrations/0008-transfers.ts';
import { buyerRequests } from './migrations/0009-buyer-requests.ts';
import { signIn } from './migrations/0010-sign-in.ts';
import { searchOfPurchases } from './migrations/0011-search-of-purchases.ts';
import { actors } from './migrations/0012-actors.ts';
import { indexesOfFigures } from './migrations/0013-indexes-of-figures.ts';
import { purchasesPage } from './migrations/0014-purchases-page.ts';
import { logPage } from './migrations/0015-log-page.ts';
import { integrationsPage } from './migrations/0017-integrations-page.ts';
import { subjectsOfAlerts } from './migrations/0018-subjects-of-alerts.ts';
import { reruns } from './migrations/0019-reruns.ts';
import { soldAs } from './migrations/0020-sold-as.ts';
import { liveSince } from './migrations/0021-live-since.ts';
import { invitations } from './migrations/0024-invitations.ts';
import { mailLimit } from './migrations/0025-mail-limit.ts';
import { sourcesOfRejected } from './migrations/0026-sources-of-rejected.ts';
import { shortSecrets } from './migrations/0027-short-secrets.ts';
import { oneUnassignedEntry } from './migrations/0028-one-unassigned-entry.ts';
import { defaultCurrency } from './migrations/0029-default-currency.ts';
import { howItWasDone } from './migrations/0030-how-it-was-done.ts';
import { downloadsPage } from './migrations/0031-downloads-page.ts';
import { claimsOfInvitations } from './migrations/0032-claims-of-invitations.ts';
import { sweeps } from './migrations/0033-sweeps.ts';
import { entriesOfAnOrder } from './migrations/0034-entries-of-an-order.ts';
import { jobs } from './migrations/0035-jobs.ts';
import { releases } from './migrations/0036-releases.ts';
import { outgoingEmails } from './migrations/0037-outgoing-emails.ts';
import { retention } from './migrations/0038-retention.ts';
import { wordsOfJobs } from './migrations/0039-words-of-jobs.ts';
import { asStoreError } from './store-errors.ts';

const MIGRATIONS = {
  '0001-first-tables': firstTables,
  '0002-sales-and-sessions': salesAndSessions,
  '0003-index-of-lines': indexOfLines,
  '0004-payment-accounts': paymentAccounts,
  '0008-transfers': transfers,
  '0010-sign-in': signIn,
  '0005-connection-rules': connectionRules,
  '0006-alerts-and-retention': alertsAndRetention,
  '0009-buyer-requests': buyerRequests,
  '0011-search-of-purchases': searchOfPurchases,
  '0012-actors': actors,
  '0013-indexes-of-figures': indexesOfFigures,
  '0015-log-page': logPage,
  '0014-purchases-page': purchasesPage,
  '0017-integrations-page': integrationsPage,
  '0018-subjects-of-alerts': subjectsOfAlerts,
  '0019-reruns': reruns,
  '0020-sold-as': soldAs,
  '0021-live-since': liveSince,
  '0024-invitations': invitations,
  '0025-mail-limit': mailLimit,
  '0026-sources-of-rejected': sourcesOfRejected,
  '0027-short-secrets': shortSecrets,
  '0028-one-unassigned-entry': oneUnassignedEntry,
  '0029-default-currency': defaultCurrency,
  '0030-how-it-was-done': howItWasDone,
  '0031-downloads-page': downloadsPage,
  '0032-claims-of-invitations': claimsOfInvitations,
  '0033-sweeps': sweeps,
  '0034-entries-of-an-order': entriesOfAnOrder,
  '0035-jobs': jobs,
  '0036-releases': releases,
  '0037-outgoing-emails': outgoingEmails,
  '0038-retention': retention,
  '0039-words-of-jobs': wordsOfJobs,
};

// Any number that nobody else takes.
const MIGRATION_LOCK = 7_204_816_335;

/**
 * Brings the database up to this version's tables. Needs a direct connection (no pooler in
 * between), for it holds a lock of the session: of several processes that migrate at once, one works and the
 * others find it done. A database that is up to date already costs one query.
 */
export async function migrate(url: string): Promise<void> {
  const lock = new pg.Client({
    connectionString: url,
    application_name: 'handover migration',
    connectionTimeoutMillis: 10_000,
  });
  // Whoever waits on the connection hears of its loss from its query.
  lock.on('error', () => undefined);
  try {
    await lock.connect();
    const version = describeVersion();
    if ((await readVersion(lock)) === version) return;
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await migrateTables(url);
    await lock.query(`comment on table kysely_migration is '${version}'`);
  } catch (error) {
    throw asStoreError(error);
  } finally {
    await lock.end();
  }
}

/** Changes with the tables that this program wants. */
function describeVersion(): string {
  const wanted = Object.keys(MIGRATIONS);
  return `handover ${createHash('sha256').update(JSON.stringify(wanted)).digest('hex')}`;
}

/** What the last program that finished migrating has left. It is in the table's comment, so a dump holds it as well. */
async function readVersion(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ readonly version: string | null }>(
    `select obj_description(to_regclass('kysely_migration'), 'pg_class') as version`,
  );
  return rows[0]?.version ?? null;
}

async function migrateTables(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on('error', () => undefined);
  // The pool does not listen to a connection while it is in use, and an 'error' that nobody hears ends the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => MIGRATIONS },
      // What is developed at the same time gets its number before it is known which is finished first.
      allowUnorderedMigrations: true,
    });
    const { error } = await migrator.migrateToLatest();
    if (error) throw error;
  } finally {
    await db.destroy();
  }
}
