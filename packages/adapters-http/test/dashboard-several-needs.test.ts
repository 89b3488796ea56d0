import { signedSample } from '@handover/platform-storefront-a/testing';
import { describe, expect, test } from 'vitest';
import { decodeHtml, hiddenPairsOf, openDashboard } from './open-dashboard.ts';
import { deliverOrder } from './sell-purchases.ts';
import { SALE, send } from './send-webhook.ts';

const OVERVIEW = '/dashboard/overview';
const DISMISS = `${OVERVIEW}/dismiss`;
const NOBODY = { customer: { email: null, name: null } };

describe('several action items', () => {
  /** An order that failed, and a rejected request. */
  async function openTwo() {
    const dashboard = await openDashboard();
    const owner = await dashboard.signIn('owner');
    const readOverview = async () => decodeHtml((await owner.get(OVERVIEW)).body);
    const opened = { ...dashboard, owner, readOverview };
    await deliverOrder(opened, { ...NOBODY, orderId: '1' });
    await send(opened, signedSample('another-secret', SALE));
    const list = async (page = DISMISS) => {
      const { body } = await opened.owner.get(page);
      const values = [...body.matchAll(/type="checkbox" name="subject" value="([^"]*)"/g)];
      const fields = hiddenPairsOf(body).filter(([name]) => name === 'form-token');
      return { fields, subjects: values.map(([, value = '']) => decodeHtml(value)) };
    };
    const post = async (path: string, fields: [string, string][]) => {
      const { headers } = await opened.owner.post(path, fields);
      return decodeHtml((await opened.owner.get(String(headers.location))).body);
    };
    return { ...opened, list, post };
  }

  const choose = (subjects: readonly string[]) =>
    subjects.map((subject): [string, string] => ['subject', subject]);

  test('leave Overview once all are dismissed; it says what today’s orders need', async () => {
    const { list, post, readOverview } = await openTwo();
    const { fields, subjects } = await list();
    await post(DISMISS, [...fields, ...choose(subjects), ['reason', 'Tests of ours']]);
    expect(await readOverview()).toContain('Today’s order needs nothing from you.');
  });

  test('are dismissed for one reason, with one Undo, and brought back together', async () => {
    const { readOverview, list, post, stores, shop, owner } = await openTwo();
    expect(await readOverview()).toContain('href="/dashboard/overview/dismiss">Dismiss several');
    const { fields, subjects } = await list();
    expect(subjects.map((subject) => subject.split('|')[0]).sort()).toEqual([
      'failed',
      'rejecting storefront-a',
    ]);
    const refused = await owner.post(DISMISS, [...fields, ...choose(subjects), ['reason', '']]);
    expect(refused.statusCode).toBe(400);
    expect(refused.body.match(/name="subject"[^>]* checked>/g)).toHaveLength(2);
    const overview = await post(DISMISS, [...fields, ...choose(subjects), ['reason', 'Tests']]);
    expect(overview).toContain('Nothing needs you');
    expect(overview).toContain('2 dismissed');
    expect(overview).toContain('href="/dashboard/overview/dismissed">Bring back several');
    const [entry] = await stores.activity.list(shop.orgId, { subjectId: null, before: null, limit: 1 });
    expect(entry?.summary).toMatch(/^Dismissed: .*; .*\. Reason: Tests$/);
    const dismissed = await list(`${OVERVIEW}/dismissed`);
    expect([...dismissed.subjects].sort()).toEqual(['failed', 'rejecting storefront-a']);
    const all = [...dismissed.fields, ...choose([...dismissed.subjects, 'refused'])];
    expect(await post(`${OVERVIEW}/bring-back`, all)).toMatch(
      /2 brought back[\s\S]*1 other left alone: brought back before\./,
    );
    const again = await post(DISMISS, [...fields, ...choose(subjects), ['reason', 'Tests']]);
    const toast = again.slice(again.indexOf('id="toaster"'));
    const undone = await post(`${OVERVIEW}/bring-back`, hiddenPairsOf(toast));
    expect(undone).toContain('2 brought back');
    expect(undone).toMatch(/Needs you[\s\S]*2 things/);
  });

  test('stay dismissed by an Undo that comes after somebody dismissed them again', async () => {
    const { list, post, clock, owner } = await openTwo();
    const { fields, subjects } = await list();
    const asked = [...fields, ...choose(subjects), ['reason', 'Tests']] as [string, string][];
    const overview = await post(DISMISS, asked);
    const undo = hiddenPairsOf(overview.slice(overview.indexOf('id="toaster"')));
    await post(`${OVERVIEW}/bring-back`, [
      ...fields,
      ...choose(subjects.map((one) => one.split('|')[0] ?? '')),
    ]);
    clock.advance(1000);
    await post(DISMISS, asked);
    expect(await post(`${OVERVIEW}/bring-back`, undo)).toContain('dismissed again meanwhile');
    expect((await owner.get(`${OVERVIEW}/dismissed`)).body).toContain('Tests');
  });

  test('of an Undo are named in its entry only if they came back', async () => {
    const { list, post, clock, stores, shop } = await openTwo();
    const { fields, subjects } = await list();
    const [failed = '', rejecting = ''] = [...subjects].sort();
    const overview = await post(DISMISS, [...fields, ...choose(subjects), ['reason', 'Tests']]);
    const undo = hiddenPairsOf(overview.slice(overview.indexOf('id="toaster"')));
    await post(`${OVERVIEW}/bring-back`, [...fields, ['subject', failed.split('|')[0] ?? '']]);
    clock.advance(1000);
    await post(DISMISS, [...fields, ['subject', failed], ['reason', 'Tests']]);
    expect(rejecting).toContain('rejecting storefront-a');
    expect(await post(`${OVERVIEW}/bring-back`, undo)).toContain('1 other left alone');
    const [entry] = await stores.activity.list(shop.orgId, { subjectId: null, before: null, limit: 1 });
    expect(entry?.summary).toBe('Brought back: Shopify: 1 delivery rejected.');
  });

  test.each(['-271821-04-20T00:00:00.000Z', 'yesterday', ''])(
    'stay dismissed by an Undo with the time “%s”',
    async (dismissed) => {
      const { list, post, owner } = await openTwo();
      const { fields, subjects } = await list();
      await post(DISMISS, [...fields, ...choose(subjects), ['reason', 'Tests']]);
      const forged = [...fields, ['subject', 'failed'], ['dismissed', dismissed]] as [string, string][];
      expect((await owner.post(`${OVERVIEW}/bring-back`, forged)).statusCode).toBe(303);
      expect((await list(`${OVERVIEW}/dismissed`)).subjects).toContain('failed');
    },
  );

  test('are all that Overview brings back: a single failure is brought back on its own page', async () => {
    const opened = await openTwo();
    const { owner, ports, shop, clock } = opened;
    const dismissal = {
      seenAt: clock.now(),
      seenCount: 1,
      reason: 'Known',
      by: owner.email,
      at: clock.now(),
    };
    const single = [`order ${shop.orgId} 1`, 'receipt 1', 'rejected 1', 'delivery 1'];
    const dismissals = single.map((subject) => ({ subject, ...dismissal }));
    await ports.dismissals.dismiss(shop.orgId, dismissals);
    const { fields } = await opened.list();
    const answer = await opened.post(`${OVERVIEW}/bring-back`, [...fields, ...choose(single)]);
    expect(answer).toContain('It no longer needs you.');
    expect(await ports.dismissals.list(shop.orgId, single)).toHaveLength(single.length);
  });

  test('are dismissed as they were seen: what got worse or went meanwhile is said', async () => {
    const opened = await openTwo();
    const { list, post } = opened;
    const { fields, subjects } = await list();
    await deliverOrder(opened, { ...NOBODY, orderId: '2' });
    const given = choose([...subjects, 'refused|2026-03-02T09:00:00.000Z|1']);
    const overview = await post(DISMISS, [...fields, ...given, ['reason', 'Tests']]);
    expect(overview).toMatch(
      /2 dismissed[\s\S]*1 still listed: got worse while you wrote\. 1 left alone: no longer on the list\./,
    );
    expect(overview).toMatch(/Needs you[\s\S]*2 orders were not delivered/);
  });

  test('are not dismissed before one is selected', async () => {
    const { owner, list } = await openTwo();
    const { fields } = await list();
    const { statusCode, body } = await owner.post(DISMISS, [...fields, ['reason', 'Tests']]);
    expect([statusCode, body.includes('Select at least one above.')]).toEqual([400, true]);
  });
});
