import { fulfilOrder } from '@handover/domain';
import { makeLine, makeOrder, recordOrder } from '@handover/testkit';
import { beforeEach, expect, it } from 'vitest';
import { jobs } from '../src/migrations/0035-jobs.ts';
import { outgoingEmails } from '../src/migrations/0037-outgoing-emails.ts';
import { clock, ids, opened, openShopAnew, ports, shop } from './shop-of-the-test.ts';
import { WITHOUT_JOBS } from './without-jobs.ts';
import { WITHOUT_OUTGOING_EMAILS } from './without-outgoing-emails.ts';

openShopAnew(beforeEach);

async function receive(orderId: string, sku: string): Promise<string> {
  const order = makeOrder(shop, { orderId, lines: [makeLine(sku)] });
  const { id } = await recordOrder(ports(), order);
  await fulfilOrder(ports(), order, { id, attempts: 0 });
  return id;
}

async function query(text: string) {
  return (await opened.database.pool.query(text)).rows;
}

async function migrate(): Promise<void> {
  for (const { up } of [jobs, outgoingEmails]) await opened.database.db.transaction().execute(up);
}

/** What the migration reads of the former queue. */
const FORMER_QUEUE = `
  create schema pgboss;
  create table pgboss.job (name text, state text, data jsonb, start_after timestamptz);
  drop table if exists reruns;
  create table reruns (org_id uuid, delivery_id uuid, kind text, attempts integer, due_at timestamptz);
`;

it('what waited in the former queue waits in the new one, and what had lost its job there has one', async () => {
  await query(`${WITHOUT_OUTGOING_EMAILS} ${WITHOUT_JOBS} ${FORMER_QUEUE}`);
  await migrate();
  expect(await opened.queuedJobs()).toEqual([]);
  expect(await query(`select from pg_namespace where nspname = 'pgboss'`)).toEqual([]);

  const { id: undecided } = await recordOrder(ports(), makeOrder(shop, { orderId: '1' }));
  const waiting = await receive('2', 'unknown');
  const decided = await receive('3', 'unknown');
  await receive('4', 'PADS');
  const mailId = ids.next();
  await opened.stores.downloadLinkEmails.requestAll({ mailId, email: 'ana@example.com', at: clock.now() });
  const [{ id: receiptId }] = await query(`select id from outgoing_emails where kind = 'receipt'`);
  const [{ id: alertMailId }] = await query(`select id from outgoing_emails where kind = 'alert'`);
  const signInId = ids.next();
  await query(`${WITHOUT_OUTGOING_EMAILS} ${WITHOUT_JOBS} ${FORMER_QUEUE}
    insert into reruns values
      ('${shop.orgId}', '${waiting}', 'fulfil-delivery', 1, '2100-01-01'),
      ('${shop.orgId}', '${decided}', 'settle-delivery', 0, '2100-01-01');
    insert into pgboss.job values
      ('send-receipt', 'retry', '{"orgId": "${shop.orgId}", "receiptId": "${receiptId}"}', '2100-01-02'),
      ('send-receipt', 'active', '{"orgId": "${shop.orgId}", "receiptId": "${receiptId}"}', '2020-01-01'),
      ('send-sign-in-link', 'created', '{"signInId": "${signInId}"}', '2100-01-03'),
      ('fulfil-delivery', 'completed', '{"orgId": "${shop.orgId}", "deliveryId": "${decided}"}', '2020-01-01'),
      ('fulfil-delivery', 'created', '{"orgId": "${shop.orgId}", "deliveryId": "${waiting}"}', '2100-01-01');
  `);
  await opened.database.db.transaction().execute(jobs.up);
  const lanes = await query('select kind, lane, subject, attempts from jobs order by kind, subject');
  const { attempts, kind, lane } = { attempts: 0, kind: 'fulfil-delivery', lane: 'orders' };
  expect(lanes).toEqual([
    { kind, lane, subject: undecided, attempts },
    { kind, lane: 'reruns', subject: waiting, attempts: 1 },
    { kind: 'send-alerts', lane: 'mails', subject: alertMailId, attempts },
    { kind: 'send-link-mail', lane: 'mails', subject: mailId, attempts },
    { kind: 'send-receipt', lane: 'receipts', subject: receiptId, attempts },
    { kind: 'send-sign-in-link', lane: 'mails', subject: signInId, attempts },
  ]);
  const due = await query(`select subject from jobs where due_at = '2020-01-01'`);
  expect(due).toEqual([{ subject: receiptId }]);
  await opened.database.db.transaction().execute(outgoingEmails.up);
});
