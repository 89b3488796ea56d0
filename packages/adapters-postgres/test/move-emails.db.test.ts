import {
  ALERT_DELAY_MS,
  type EmailKind,
  fulfilOrder,
  NO_ORGANISATION,
  type Order,
  requestSignIn,
} from '@handover/domain';
import {
  claimIdOf,
  completeEmail,
  type EmailJob,
  emailOf,
  makeLine,
  makeOrder,
  recordOrder,
  sendsEmail,
} from '@handover/testkit';
import { beforeEach, expect, it } from 'vitest';
import { outgoingEmails } from '../src/migrations/0037-outgoing-emails.ts';
import { clock, ids, opened, openShopAnew, ports, shop } from './shop-of-the-test.ts';
import { WITHOUT_OUTGOING_EMAILS } from './without-outgoing-emails.ts';

openShopAnew(beforeEach);

async function fulfil(order: Order) {
  const { id } = await recordOrder(ports(), order);
  return fulfilOrder(ports(), order, { id, attempts: 0 });
}

async function query(text: string) {
  return (await opened.database.pool.query(text)).rows;
}

async function migrateAgain(): Promise<void> {
  await query(WITHOUT_OUTGOING_EMAILS);
  await opened.database.db.transaction().execute(outgoingEmails.up);
}

async function findJob(kind: EmailKind): Promise<EmailJob> {
  const [job, ...others] = (await opened.queuedJobs()).filter(sendsEmail(kind));
  if (!job || others.length > 0) throw new Error(`One job of the kind ${kind} was to be queued.`);
  return job;
}

function claim({ orgId, emailId }: EmailJob) {
  return opened.stores.outgoingEmails.claim(orgId, emailId, clock.now(), () => ids.next());
}

/** Something of every kind that is due. */
async function fillWithEmails(): Promise<void> {
  await fulfil(makeOrder(shop, { orderId: '1' }));
  await fulfil(makeOrder(shop, { orderId: '2', lines: [makeLine('unknown')] }));
  const at = clock.now();
  await opened.stores.downloadLinkEmails.requestAll({ mailId: ids.next(), email: 'Ana@example.com', at });
  const [owner] = await opened.stores.team.list(shop.orgId);
  await opened.stores.invitations.add({
    id: ids.next(),
    orgId: shop.orgId,
    email: 'jo@example.com',
    name: 'Jo',
    role: 'member',
    invitedBy: owner?.id ?? '',
    createdAt: at,
    expiresAt: new Date(at.getTime() + 7 * 24 * 60 * 60 * 1000),
  });
  await requestSignIn(
    { ...ports(), ...opened.stores },
    { email: owner?.email ?? '', network: ids.next(), client: 'Firefox on Linux' },
  );
}

/** All but the time when it came to be, which was not kept of every kind. */
const ROWS = `
  select org_id, id, kind, subject, status, attempts, postponed, last_answer, pending_since, next_try_at, claim_id, claimed_until,
    sent_at, customer_id, order_id, invitation_id, details
  from outgoing_emails order by kind, id`;

it('carries every pending e-mail over, with its job', async () => {
  await fillWithEmails();
  // A sign-in is only mailed while its link works, by the clock of the database.
  await query(`update sign_ins set expires_at = '2100-01-01'`);
  const [rows, jobs] = [await query(ROWS), await listJobs()];
  await migrateAgain();
  expect(await query(ROWS)).toEqual(rows);
  expect(await listJobs()).toEqual(jobs);
  clock.advance(ALERT_DELAY_MS);
  for (const kind of ['receipt', 'links', 'alert', 'invitation', 'sign-in'] as const) {
    expect(emailOf(await claim(await findJob(kind)), kind)).toMatchObject({ attempts: 0 });
  }
});

it('carries claims, answers and links that are made over', async () => {
  await fillWithEmails();
  clock.advance(ALERT_DELAY_MS);
  const links = await findJob('links');
  expect(links.orgId).toBe(NO_ORGANISATION);
  const first = await claim(links);
  const kept = ROWS.replace('from outgoing_emails', `from outgoing_emails where kind <> 'sign-in'`);
  const alert = await findJob('alert');
  const at = clock.now();
  const sent = { kind: 'sent', at, answer: '250' } as const;
  await completeEmail(opened.stores, alert.orgId, alert.emailId, at, sent);
  const busy = { kind: 'try-again', at, answer: '451', reason: 'Not yet.', nextTryAt: at } as const;
  const invitation = await findJob('invitation');
  await completeEmail(opened.stores, shop.orgId, invitation.emailId, at, busy);
  const rows = await query(kept);
  await migrateAgain();
  expect(await query(kept)).toEqual(rows);
  const { outgoingEmails: emails } = opened.stores;
  expect(await emails.complete(links.orgId, links.emailId, claimIdOf(first), busy)).toBe('completed');
  expect(emailOf(await claim(links), 'links')?.shops).toEqual(emailOf(first, 'links')?.shops);
});

it('gives a mail of alerts that is named as a receipt an id of its own, everywhere', async () => {
  const { receipt } = await fulfil(makeOrder(shop));
  const receiptId = receipt?.id ?? '';
  const refused = { kind: 'refused', at: clock.now(), answer: '550', reason: 'No such box.' } as const;
  await completeEmail(opened.stores, shop.orgId, receiptId, clock.now(), refused);
  const { emailId: mailId } = await findJob('alert');
  clock.advance(ALERT_DELAY_MS);
  await completeEmail(opened.stores, shop.orgId, mailId, clock.now(), refused);
  await query(WITHOUT_OUTGOING_EMAILS);
  await query(`
    update alert_mails set id = '${receiptId}';
    update alerts set mail_id = '${receiptId}';
    update activity set id = '${receiptId}', subject_id = '${receiptId}' where kind = 'alert-given-up';
    update jobs set subject = '${receiptId}' where kind = 'send-alerts'`);
  await opened.database.db.transaction().execute(outgoingEmails.up);
  const [{ id: renamed }] = await query(`select id from outgoing_emails where kind = 'alert'`);
  expect(renamed).not.toBe(receiptId);
  expect(await query('select mail_id from alerts')).toEqual([{ mail_id: renamed }]);
  expect((await findJob('alert')).emailId).toBe(renamed);
  const { givenUpAlerts } = await opened.stores.actionItems.read(shop.orgId, clock.now());
  expect(givenUpAlerts).toMatchObject({ answer: 'No such box.' });
});

/** Those that are due at one time come in any order. */
async function listJobs() {
  return (await opened.queuedJobs()).map((job) => JSON.stringify(job)).sort();
}
