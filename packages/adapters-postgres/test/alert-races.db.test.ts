import { ALERT_PATIENCE_MS, fulfilOrder, type Order, updateProduct } from '@handover/domain';
import { claimIdOf, makeLine, makeOrder, recordOrder } from '@handover/domain/testing';
import { beforeAll, expect, it } from 'vitest';
import { clock, opened, openShopAnew, ports, shop } from './shop-of-the-test.ts';

openShopAnew(beforeAll);

async function deliver(order: Order): Promise<string> {
  const { id } = await recordOrder(ports(), order);
  await fulfilOrder(ports(), order, { id, attempts: 0 });
  return id;
}

it('an alert that is dropped while its order fails anew is told now or later, never lost', async () => {
  const { stores, database } = opened;
  await updateProduct(ports(), shop.orgId, shop.product.id, { status: 'draft' });
  for (let round = 0; round < 15; round += 1) {
    const order = (sku: string) => makeOrder(shop, { orderId: `${round}`, lines: [makeLine(sku)] });
    await database.pool.query(
      `update alert_mails set settled_at = '2020-01-01' where settled_at is not null`,
    );
    const first = await deliver(order('unknown'));
    const held = await deliver(order('PADS'));
    clock.advance(ALERT_PATIENCE_MS);
    const { rows } = await database.pool.query<{ id: string }>(
      `select id from alert_mails where status = 'collecting'`,
    );
    const mailId = rows[0]?.id ?? '';
    const [claim] = await Promise.all([
      stores.alerts.claim(shop.orgId, mailId, clock.now()),
      fulfilOrder(ports(), order('unknown'), { id: held, attempts: 1 }),
    ]);
    const alerts = await database.pool.query<{ status: string; mail: string }>(
      `select mail.status, mail.id as mail from alerts alert
       join alert_mails mail on mail.org_id = alert.org_id and mail.id = alert.mail_id
       where alert.about like '% ' || $1`,
      [`${round}`],
    );
    expect(alerts.rows).toMatchObject([{ status: claim.kind === 'claimed' ? 'owed' : 'collecting' }]);
    if (claim.kind === 'claimed') {
      expect(claim.mail.alerts.at(-1)?.deliveryId).toBe(first);
      const sent = { kind: 'sent', at: clock.now(), answer: '250' } as const;
      await stores.alerts.settle(shop.orgId, mailId, claim.claimId, sent);
    } else {
      const jobs = await opened.queuedJobs();
      const mail = alerts.rows[0]?.mail;
      expect(jobs.some((job) => job.kind === 'send-alerts' && job.mailId === mail)).toBe(true);
      const again = await stores.alerts.claim(
        shop.orgId,
        mail ?? '',
        new Date(clock.now().getTime() + ALERT_PATIENCE_MS),
      );
      const sent = { kind: 'sent', at: clock.now(), answer: '250' } as const;
      await stores.alerts.settle(shop.orgId, mail ?? '', claimIdOf(again), sent);
    }
  }
});
