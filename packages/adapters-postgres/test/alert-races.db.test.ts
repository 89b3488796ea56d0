import { ALERT_DELAY_MS, fulfilOrder, type Order, updateProduct } from '@handover/domain';
import {
  claimEmail,
  claimIdOf,
  emailOf,
  makeLine,
  makeOrder,
  recordOrder,
  sendsEmail,
} from '@handover/testkit';
import { beforeAll, expect, it } from 'vitest';
import { clock, opened, openShopAnew, ports, shop } from './shop-of-the-test.ts';

openShopAnew(beforeAll);

async function deliver(order: Order): Promise<string> {
  const { id } = await recordOrder(ports(), order);
  await fulfilOrder(ports(), order, { id, attempts: 0 });
  return id;
}

it('an alert that is dropped while its order fails again is mailed now or later, and never lost', async () => {
  const { stores, database } = opened;
  await updateProduct(ports(), shop.orgId, shop.product.id, { status: 'draft' });
  for (let round = 0; round < 15; round += 1) {
    const order = (sku: string) => makeOrder(shop, { orderId: `${round}`, lines: [makeLine(sku)] });
    await database.pool.query(
      `update outgoing_emails set last_answer_at = '2020-01-01' where kind = 'alert' and status <> 'pending'`,
    );
    const first = await deliver(order('unknown'));
    const held = await deliver(order('PADS'));
    clock.advance(ALERT_DELAY_MS);
    const { rows } = await database.pool.query<{ id: string }>(
      `select id from outgoing_emails where subject = 'collecting'`,
    );
    const mailId = rows[0]?.id ?? '';
    const [claim] = await Promise.all([
      claimEmail(stores, shop.orgId, mailId, clock.now()),
      fulfilOrder(ports(), order('unknown'), { id: held, attempts: 1 }),
    ]);
    const alerts = await database.pool.query<{ collects: boolean; mail: string }>(
      `select mail.subject is not null as collects, mail.id as mail from alerts alert
       join outgoing_emails mail on mail.org_id = alert.org_id and mail.id = alert.mail_id
       where alert.about like '% ' || $1`,
      [`${round}`],
    );
    expect(alerts.rows).toMatchObject([{ collects: claim.kind !== 'claimed' }]);
    if (claim.kind === 'claimed') {
      expect(emailOf(claim, 'alert')?.alerts.at(-1)?.deliveryId).toBe(first);
      const sent = { kind: 'sent', at: clock.now(), answer: '250' } as const;
      await stores.outgoingEmails.complete(shop.orgId, mailId, claim.claimId, sent);
    } else {
      const jobs = await opened.queuedJobs();
      const mail = alerts.rows[0]?.mail;
      expect(jobs.some((job) => sendsEmail('alert')(job) && job.emailId === mail)).toBe(true);
      const again = await claimEmail(
        stores,
        shop.orgId,
        mail ?? '',
        new Date(clock.now().getTime() + ALERT_DELAY_MS),
      );
      const sent = { kind: 'sent', at: clock.now(), answer: '250' } as const;
      await stores.outgoingEmails.complete(shop.orgId, mail ?? '', claimIdOf(again), sent);
    }
  }
});
