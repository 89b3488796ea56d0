import { CLAIM_LASTS_MS, SENDING_MARGIN_MS } from '@handover/domain';
import { claimIdOf, DUE_MAILS, openFreshShop } from '@handover/testkit';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { createClaimLeases, createPostgresStores, type Database, openDatabase } from '../src/index.ts';
import { openTestStores, type TestStores } from '../src/testing/index.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

const SURE_MS = CLAIM_LASTS_MS - SENDING_MARGIN_MS;
const RENEW_EVERY_MS = 5_000;
const log = { warn: () => undefined, error: () => undefined };
const secretBox = { seal: (plain: string) => plain, unseal: (sealed: string) => sealed, holds: () => false };

let opened: TestStores;
let wire: TcpProxy;
let database: Database;
/** What the process's own clock says. */
let time = 0;
const leases = createClaimLeases(() => time);

beforeAll(async () => {
  opened = await openTestStores(inject('postgres'));
});

afterAll(() => opened.close());

beforeEach(async () => {
  await opened.clear();
  wire = await startTcpProxy(opened.url);
  database = openDatabase({ url: wire.url, log });
});

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await wire.restore();
  await database.close();
  await wire.close();
});

async function open(openMail: (typeof DUE_MAILS)[string]) {
  const stores = createPostgresStores({ database, jobs: opened.queue, secretBox, leases });
  const mail = await openMail(await openFreshShop(async () => ({ ...opened, stores })));
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  return mail;
}

/** Renews the claim. The response arrives when the test decides. */
function renew(): void {
  vi.advanceTimersByTime(RENEW_EVERY_MS);
}

describe.each(Object.entries(DUE_MAILS))('what the process knows of the claim of %s', (_name, openMail) => {
  it('starts when it was requested, not when the response arrived', async () => {
    const mail = await open(openMail);
    const claiming = mail.claim();
    time += SURE_MS;
    const claimId = claimIdOf(await claiming);
    expect(leases.isSure(claimId)).toBe(true);
    time += 1;
    expect(leases.isSure(claimId)).toBe(false);
    await mail.release(claimId);
  });

  it('restarts when a confirmed renewal was sent', async () => {
    const mail = await open(openMail);
    const claimId = claimIdOf(await mail.claim());
    time += SURE_MS + 1;
    expect(leases.isSure(claimId)).toBe(false);
    renew();
    time += SURE_MS;
    await vi.waitFor(() => expect(leases.isSure(claimId)).toBe(true), WAIT_TIMEOUT_MS);
    time += 1;
    expect(leases.isSure(claimId)).toBe(false);
    await mail.release(claimId);
  });

  it('expires while the database is unreachable, although renewals continue', async () => {
    const mail = await open(openMail);
    const claimId = claimIdOf(await mail.claim());
    await wire.cut();
    for (let passed = 0; passed <= SURE_MS; passed += RENEW_EVERY_MS) {
      expect(leases.isSure(claimId)).toBe(true);
      renew();
      time += RENEW_EVERY_MS;
    }
    expect(leases.isSure(claimId)).toBe(false);
    await mail.release(claimId).catch(() => undefined);
  });

  it('ends once another process has claimed the mail', async () => {
    const mail = await open(openMail);
    const claimId = claimIdOf(await mail.claim());
    await opened.expireClaims();
    const other = claimIdOf(await mail.claim());
    renew();
    await vi.waitFor(() => expect(leases.isSure(claimId)).toBe(false), WAIT_TIMEOUT_MS);
    expect(leases.isSure(other)).toBe(true);
    await mail.release(other);
  });

  it.each(['complete', 'release'] as const)('ends with its %s', async (end) => {
    const mail = await open(openMail);
    const claimId = claimIdOf(await mail.claim());
    await (end === 'complete' ? mail.complete(claimId, 'try-again') : mail.release(claimId));
    expect(leases.isSure(claimId)).toBe(false);
  });

  it.each(['sent', 'try-again'] as const)(
    'does not say that it was lost when only the answer of the database was, after %s',
    async (ending) => {
      const mail = await open(openMail);
      const claimId = claimIdOf(await mail.claim());
      loseNextEnding();
      expect(await mail.complete(claimId, ending)).toBe('perhaps-completed');
      expect((await mail.claim()).kind).toBe(ending === 'sent' ? 'not-pending' : 'not-now');
    },
  );

  it('does not say that it was completed when the database was away, and another process claimed the mail', async () => {
    const mail = await open(openMail);
    const claimId = claimIdOf(await mail.claim());
    await wire.cut();
    const connecting = vi.spyOn(database.pool, 'connect');
    const completing = mail.complete(claimId, 'sent');
    // The second try begins once the first one has failed.
    await vi.waitFor(() => expect(connecting.mock.calls.length).toBeGreaterThan(1), WAIT_TIMEOUT_MS);
    await opened.expireClaims();
    await opened.database.pool.query('update outgoing_emails set claim_id = gen_random_uuid()');
    await wire.restore();
    expect(await completing).toBe('perhaps-completed');
  });

  it('reports the loss when every response of the database arrived', async () => {
    const mail = await open(openMail);
    const claimId = claimIdOf(await mail.claim());
    await opened.expireClaims();
    const other = claimIdOf(await mail.claim());
    expect(await mail.complete(claimId, 'sent')).toBe('not-held');
    await mail.release(other);
  });
});

/** Commits the next transaction or single statement, and drops the response. */
function loseNextEnding(): void {
  const connect = database.pool.connect.bind(database.pool) as () => Promise<pg.PoolClient>;
  let isLost = false;
  vi.spyOn(database.pool, 'connect').mockImplementation(async () => {
    const client = await connect();
    let isWithin = false;
    const query = async (asked: string | pg.QueryConfig) => {
      const answer = await client.query(asked);
      const text = typeof asked === 'string' ? asked : asked.text;
      if (text.startsWith('begin')) isWithin = true;
      else if (!isLost && (!isWithin || text === 'commit')) {
        isLost = true;
        throw new Error('Connection terminated unexpectedly');
      }
      return answer;
    };
    return { query, release: () => client.release() } as pg.PoolClient;
  });
}
