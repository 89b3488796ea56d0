import { createProduct, MAX_RERUN } from '@handover/domain';
import { describe, expect } from 'vitest';
import { hiddenPairsOf, openDashboard } from './open-dashboard.ts';
import { deliverOrder, sendUnmatched } from './sell-purchases.ts';
import { test } from './test-in-shop.ts';

const DELIVER = '/dashboard/webhook-log/deliver';

describe('orders that failed', () => {
  test('are selected on a page that says what happens, and processed again once', async ({ dashboard }) => {
    await sendUnmatched(dashboard, 'KEYS', '1252');
    await deliverOrder(dashboard);
    const owner = await dashboard.signIn('owner');
    expect((await owner.get('/dashboard/webhook-log?status=error')).body).toContain('Deliver several again');
    expect((await owner.get('/dashboard/webhook-log?status=success')).body).not.toContain(
      'Deliver several again',
    );
    const { body } = await owner.get(`${DELIVER}?status=error`);
    expect(body).toContain('processed as if they came in now');
    const values = [...body.matchAll(/name="id" value="([^"]+)"/g)].map(([, value = '']) => value);
    expect(values).toHaveLength(1);
    const id = values[0] ?? '';
    await createProduct(dashboard.ports, dashboard.shop.orgId, { name: 'Keys', slug: 'keys' });
    const rerun = async () =>
      (await dashboard.stores.queuedJobs()).filter((job) => job.kind === 'fulfil-delivery');
    await owner.submit(DELIVER, DELIVER, { id });
    expect((await owner.get('/dashboard/webhook-log')).body).toContain('1 order processed again');
    expect(await rerun()).toMatchObject([{ deliveryId: id.split(':')[0] }]);
    await owner.submit(DELIVER, DELIVER, { id });
    expect((await owner.get('/dashboard/webhook-log')).body).toContain('Nothing to process');
    expect(await rerun()).toHaveLength(1);
  });

  test('say how many are left, and go on with the next page once a whole page was selected', async () => {
    const dashboard = await openDashboard();
    for (let at = 0; at < MAX_RERUN + 2; at += 1) await sendUnmatched(dashboard, 'KEYS', `${2000 + at}`);
    const owner = await dashboard.signIn('owner');
    const list = `${DELIVER}?status=error`;
    const deliver = async (path: string, selected: number) => {
      const { body } = await owner.get(path);
      const ids = [...body.matchAll(/name="id" value="([^"]+)"/g)].map(([, value = '']) => ['id', value]);
      const fields = [...hiddenPairsOf(body), ...ids.slice(0, selected)] as [string, string][];
      const { headers } = await owner.post(DELIVER, fields);
      return { to: String(headers.location), words: (await owner.get(String(headers.location))).body };
    };
    const some = await deliver(list, 3);
    expect(some.to).toBe(list);
    expect(some.words).toContain('3 orders processed again');
    expect(some.words).toContain('99 orders can be delivered again: go on with the next ones below.');
    const whole = await deliver(list, MAX_RERUN);
    expect(whole.to).toContain('&before=');
    expect([...whole.words.matchAll(/name="id" value="/g)]).toHaveLength(2);
    const last = await deliver(whole.to, 2);
    expect(last.to).toBe('/dashboard/webhook-log');
    expect(last.words).not.toContain('go on with');
  });

  test('are none when none is selected, or none failed', async ({ owner }) => {
    expect((await owner.get(`${DELIVER}?status=held`)).body).toContain('Nothing to deliver again');
    await owner.submit(DELIVER, DELIVER);
    expect((await owner.get(DELIVER)).body).toContain('No order was selected');
    await owner.submit(DELIVER, DELIVER, { id: 'x:y' });
    expect((await owner.get('/dashboard/webhook-log')).body).toContain('Nothing to process');
  });
});
