import { revokeLink } from '@handover/domain';
import { BY_JANA } from '@handover/testkit';
import pg from 'pg';
import { beforeEach, expect, it, vi } from 'vitest';
import { createPostgresDownloadLinks } from '../src/stores/writes/downloads/download-links.ts';
import { createPostgresDownloadSessions } from '../src/stores/writes/downloads/download-sessions.ts';
import { clock, ids, opened, openShopAnew, sell, shop } from './shop-of-the-test.ts';

openShopAnew(beforeEach);

const FILE = { version: '1.0', name: 'pads.zip', size: 1000 };

/** The store of one process: the other stores of the test simulate several processes. */
let sessions: ReturnType<typeof createPostgresDownloadSessions>;
beforeEach(() => {
  sessions = createPostgresDownloadSessions(opened.database.db);
});

async function beginSessions(count: number): Promise<readonly string[]> {
  await sell(count);
  const { rows } = await opened.database.pool.query('select id from download_links order by id');
  return Promise.all(
    rows.map(async ({ id }) => {
      const request = { sessionId: ids.next(), joining: null, client: 'browser', at: clock.now() } as const;
      return (await sessions.begin(shop.orgId, id, request)) ?? '';
    }),
  );
}

function tell(sessionId: string, start: number, end: number, changes: Partial<typeof FILE> = {}) {
  const sent = { ...FILE, ...changes, ranges: [{ start, end }] };
  return sessions.addSent(shop.orgId, sessionId, sent, clock.now());
}

async function countTransactions(work: () => Promise<unknown>): Promise<number> {
  const queries = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    return queries.mock.calls.filter(([text]: unknown[]) => String(text).startsWith('begin')).length;
  } finally {
    queries.mockRestore();
  }
}

async function readSessions() {
  const { rows } = await opened.database.pool.query(
    `select session.id, session.bytes::integer, session.sent_whole as whole,
       json_object_agg(file.name, file.sent::text) as files
     from download_sessions session
     join download_session_files file on file.org_id = session.org_id and file.session_id = session.id
     group by session.org_id, session.id order by session.id`,
  );
  return rows;
}

it('a thousand readers of one link record their bytes in a few transactions', async () => {
  const [sessionId = ''] = await beginSessions(1);
  const readers = Array.from({ length: 1000 }, (_, number) => number);
  const count = await countTransactions(() =>
    Promise.all(readers.map((number) => tell(sessionId, number, number + 1))),
  );
  expect(count).toBeLessThan(10);
  expect(await readSessions()).toEqual([
    { id: sessionId, bytes: 1000, whole: true, files: { 'pads.zip': '{[0,1000)}' } },
  ]);
});

it('concurrent reports of several sessions and files stay separate, and an unknown session does not disturb the others', async () => {
  const [one = '', other = ''] = (await beginSessions(2)).toSorted();
  const count = await countTransactions(() =>
    Promise.all([
      tell(one, 0, 600),
      tell(other, 0, 10),
      tell(ids.next(), 0, 1000),
      tell(one, 500, 1000),
      tell(one, 0, 5, { name: 'keys.zip', size: 5 }),
      tell(other, 20, 30),
    ]),
  );
  expect(count).toBe(1);
  expect(await readSessions()).toEqual([
    { id: one, bytes: 1105, whole: true, files: { 'pads.zip': '{[0,1000)}', 'keys.zip': '{[0,5)}' } },
    { id: other, bytes: 20, whole: false, files: { 'pads.zip': '{[0,10),[20,30)}' } },
  ]);
});

it('a thousand readers of one link prolong it in a few updates, to the latest time, unless it was withdrawn', async () => {
  await sell(1);
  const links = createPostgresDownloadLinks(opened.database.db);
  const { rows } = await opened.database.pool.query('select id from download_links');
  const now = clock.now().getTime();
  const prolongAll = () =>
    Promise.all(
      Array.from({ length: 1000 }, (_, number) => {
        const at = new Date(now + number);
        return links.prolong(shop.orgId, rows[0].id, at, new Date(at.getTime() + 48 * 3_600_000));
      }),
    );
  const queries = vi.spyOn(pg.Client.prototype, 'query');
  expect(new Set(await prolongAll())).toEqual(new Set([true]));
  expect(queries.mock.calls.length).toBeLessThan(20);
  queries.mockRestore();
  const read = await opened.database.pool.query('select expires_at from download_links');
  expect(read.rows[0].expires_at).toEqual(new Date(now + 999 + 48 * 3_600_000));
  await revokeLink({ clock, ids, ...opened.stores }, shop.orgId, rows[0].id, BY_JANA);
  expect(new Set(await prolongAll())).toEqual(new Set([false]));
});

it('a thousand readers who begin one link at once are one session, begun in one transaction', async () => {
  await sell(1);
  const { rows } = await opened.database.pool.query('select id from download_links');
  let begun: readonly (string | null)[] = [];
  const count = await countTransactions(async () => {
    begun = await Promise.all(
      Array.from({ length: 1000 }, () => {
        const request = { sessionId: ids.next(), joining: null, client: 'browser', at: clock.now() } as const;
        return sessions.begin(shop.orgId, rows[0].id, request);
      }),
    );
  });
  expect(count).toBe(1);
  expect(new Set(begun).size).toBe(1);
  const read = await opened.database.pool.query('select id from download_sessions');
  expect(read.rows).toEqual([{ id: begun[0] }]);
});
