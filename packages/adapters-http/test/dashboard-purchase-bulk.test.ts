import { continueBulk, revokePurchase } from '@handover/domain';
import { BY_JANA, openShop } from '@handover/testkit';
import { describe, expect, test } from 'vitest';
import { decodeHtml } from './open-dashboard.ts';
import { ask, askForMany, BULK, openSales, press, readStates, withKey } from './sell-in-bulk.ts';
import { deliverOrder } from './sell-purchases.ts';

describe('many purchases at once', () => {
  test('can be selected on the list, without a script as well', async () => {
    const opened = await openSales();
    const { body } = await opened.owner.get('/dashboard/purchases?source=storefront-a');
    expect(body).toContain(`action="${BULK}"`);
    for (const id of opened.sold) expect(body).toContain(`<input type="checkbox" name="id" value="${id}">`);
    expect(body).toContain('Select #1001');
    expect(body).toContain('<input type="hidden" name="source" value="storefront-a">');
  });

  test('are revoked after a question that names them, and counted when it is pressed twice', async () => {
    const opened = await openSales();
    const [first = '', second = ''] = opened.sold;
    const asked = await ask(opened, 'revoke', [first, second]);
    expect(asked.body).toContain('Revoke 2 purchases?');
    expect(asked.body).toContain('b1001@example.com');
    expect(asked.body).toContain('All their links stop working at once');
    expect(asked.body).not.toContain('b1003@example.com');
    expect(await readStates(opened)).toEqual([
      [true, 'sent'],
      [true, 'sent'],
      [true, 'sent'],
    ]);

    const done = await press(opened, asked.body);
    expect(done.statusCode).toBe(200);
    expect(done.body).toContain('2 purchases revoked');
    expect(await readStates(opened)).toEqual([
      [false, 'sent'],
      [false, 'sent'],
      [true, 'sent'],
    ]);
    // The same form sent twice is one action: its page shows the same result.
    expect((await press(opened, asked.body)).body).toContain('2 purchases revoked');
    const other = await press(opened, withKey(asked.body));
    expect(other.body).toContain('Nothing was revoked');
    expect(other.body).toContain('<p>2 purchases unchanged: revoked before.</p>');

    const restore = await ask(opened, 'restore', opened.sold);
    expect(restore.body).toContain('Restore 2 purchases?');
    expect(restore.body).toContain('Left out: 1, since it is not revoked.');
    expect((await press(opened, restore.body)).body).toContain('2 purchases restored');
  });

  test('get their receipts again, once', async () => {
    const opened = await openSales();
    const [first = ''] = opened.sold;
    await opened.owner.submit(`/dashboard/purchases/${first}`, `/dashboard/purchases/${first}/revoke`);
    const asked = await ask(opened, 'resend', opened.sold);
    expect(asked.body).toContain('Send 2 receipts again?');
    expect(asked.body).toContain('2 mails with new links go out');
    expect(asked.body).toContain('Left out: 1, since it is revoked.');
    expect((await press(opened, asked.body)).body).toContain('2 receipts sent again');
    expect(await readStates(opened)).toEqual([
      [false, 'sent'],
      [true, 'pending'],
      [true, 'pending'],
    ]);
    expect((await press(opened, asked.body)).body).toContain('2 receipts sent again');
    const again = await press(opened, withKey(asked.body));
    expect(again.body).toContain('Nothing was sent');
    expect(again.body).toContain('2 receipts not sent: sent again before, or on the way already.');
    expect((await ask(opened, 'resend', opened.sold)).body).toContain('No receipt to send again');
  });

  test('leave an entry for each that was changed', async () => {
    const opened = await openSales();
    await press(opened, (await ask(opened, 'revoke', opened.sold)).body);
    const entries = await opened.ports.activity.list(opened.shop.orgId, {
      subjectId: null,
      before: null,
      limit: 50,
    });
    const revoked = entries.filter(({ kind }) => kind === 'link-revoked');
    expect(revoked.map(({ subjectId }) => subjectId).sort()).toEqual([...opened.sold].sort());
    expect(new Set(revoked.map(({ actor, via }) => `${actor} ${via}`))).toEqual(
      new Set([`${opened.owner.email} dashboard`]),
    );
  });

  test('are all that match the filters, on every page', async () => {
    const opened = await openSales();
    const asked = await ask(opened, 'revoke', [], { all: 'yes', q: 'b1002@example.com' });
    expect(asked.body).toContain('Revoke 1 purchase?');
    const all = await ask(opened, 'revoke', opened.sold.slice(0, 1), { all: 'yes' });
    expect(all.body).toContain('Revoke 3 purchases?');
  });

  test('are those of a status', async () => {
    const opened = await openSales();
    const { ports, shop, sold } = opened;
    await revokePurchase(ports, shop.orgId, sold[0] ?? '', BY_JANA);
    const restored = await ask(opened, 'restore', [], { all: 'yes', status: 'revoked' });
    expect(restored.body).toContain('Restore 1 purchase?');
    expect(restored.body).not.toContain('Left out');
    const { purchaseId } = await deliverOrder(opened, { orderId: 't' }, { isTest: true });
    const tests = await ask(opened, 'revoke', [], { all: 'yes', status: 'test' });
    expect(tests.body).toContain('Revoke 1 purchase?');
    expect(tests.body).toContain(`name="p" value="${purchaseId}"`);
  });

  test.each([
    'from=2026-02-30',
    'from=2026-03-02&to=2026-03-01',
    'source=nobody',
    'receipt=lost',
    'status=lost',
  ])('are none when a filter cannot be read: %s', async (filters) => {
    const opened = await openSales();
    const fields = { all: 'yes', action: 'revoke', key: 'no-id', filters };
    expect((await opened.owner.submit('/dashboard/purchases', BULK, fields)).statusCode).toBe(400);
    expect((await opened.stores.queuedJobs()).filter(({ kind }) => kind === 'run-bulk-action')).toEqual([]);
    expect(await readStates(opened)).toEqual(opened.sold.map(() => [true, 'sent']));
  });

  test('of more than 500 are done by a job, whose page tells how far it is, and can be cancelled', async () => {
    const opened = await openSales();
    const { ports, shop, owner } = opened;
    const asked = await askForMany(opened);
    expect(asked.body).toContain('Revoke 501 purchases?');
    expect(asked.body).toContain('This runs in the background.');
    const begun = await press(opened, asked.body);
    expect(begun.body).toContain('<h1><bdi>Revoking purchases</bdi></h1>');
    expect(begun.body).toContain('hx-trigger="every 2s"');
    expect(begun.body).toContain('Cancel the rest');
    expect(await readStates(opened)).toEqual([true, true, true].map((isValid) => [isValid, 'sent']));
    const [job] = (await opened.stores.queuedJobs()).filter(({ kind }) => kind === 'run-bulk-action');
    const bulkId = job?.kind === 'run-bulk-action' ? job.bulkId : '';
    const page = `${BULK}/${bulkId}`;
    await continueBulk(ports, { orgId: shop.orgId, bulkId }, 2);
    const halfway = decodeHtml((await owner.get(page)).body);
    expect(halfway).toContain('2 purchases revoked so far. 2 of 501 purchases checked.');
    expect(halfway).toContain('<progress value="2" max="501"');
    expect((await owner.submit(page, `${page}/cancel`)).statusCode).toBe(303);
    await continueBulk(ports, { orgId: shop.orgId, bulkId }, 2);
    const over = decodeHtml((await owner.get(page)).body);
    expect(over).toContain('<h1><bdi>2 purchases revoked</bdi></h1>');
    expect(over).toContain(`Cancelled by ${owner.email} after 2 of 501 purchases. What was done stays done.`);
    expect(over).not.toContain('hx-trigger="every 2s"');
    expect(await readStates(opened)).toEqual([true, false, false].map((isValid) => [isValid, 'sent']));
    const activity = decodeHtml((await owner.get('/dashboard/settings/activity')).body);
    expect(activity).toMatch(/Revoking of all purchases[\s\S]*was cancelled: 2 revoked until then\./);
    expect(activity).toContain(`href="${page}"`);
  });

  test('of more than 500 are seen by no other organisation', async () => {
    const opened = await openSales();
    const begun = await press(opened, (await askForMany(opened)).body);
    const page =
      /hx-get="([^"]+)"/.exec(begun.body.slice(begun.body.indexOf('id="bulk-now-running"')))?.[1] ?? '';
    expect(page).toMatch(/^\/dashboard\/purchases\/bulk\//);
    const other = await openShop({ ...opened.ports, stores: opened.stores }, 'Other');
    const stranger = await opened.signIn('owner', other.orgId);
    const answers = [
      await stranger.get(page),
      await stranger.submit('/dashboard/purchases', `${page}/cancel`),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404]);
    expect((await opened.owner.get(page)).body).toContain('Revoking purchases');
  });

  test('that nobody opened are mailed again in the background, and none that was opened', async () => {
    const opened = await openSales();
    const { ports, shop, clock, sold } = opened;
    const receiptsOf = async () =>
      (await ports.mailings.findAll(shop.orgId, sold)).map(({ receipt }) => receipt?.id);
    const linkId = (await ports.purchases.show(shop.orgId, sold[0] ?? ''))?.linkId ?? '';
    await ports.links.refresh(shop.orgId, linkId, clock.now(), clock.now());
    const before = await receiptsOf();
    const begun = await press(opened, (await askForMany(opened, 'resend', { status: 'unopened' })).body);
    expect(begun.statusCode).toBe(200);
    const [job] = (await opened.stores.queuedJobs()).filter(({ kind }) => kind === 'run-bulk-action');
    const bulkId = job?.kind === 'run-bulk-action' ? job.bulkId : '';
    while ((await continueBulk(ports, { orgId: shop.orgId, bulkId }, 2)) !== 'done');
    const kept = (await receiptsOf()).filter((id) => before.includes(id));
    expect(kept).toHaveLength(1);
    const receipt = (await ports.mailings.find(shop.orgId, sold[0] ?? ''))?.receipt;
    expect(kept).toEqual([receipt?.id]);
  });

  test('that are test orders are revoked in the background, and no other', async () => {
    const opened = await openSales();
    const { ports, shop } = opened;
    const { linkId } = await deliverOrder(opened, { orderId: 't' }, { isTest: true });
    await press(opened, (await askForMany(opened, 'revoke', { status: 'test' })).body);
    const [job] = (await opened.stores.queuedJobs()).filter(({ kind }) => kind === 'run-bulk-action');
    const bulkId = job?.kind === 'run-bulk-action' ? job.bulkId : '';
    expect(await continueBulk(ports, { orgId: shop.orgId, bulkId })).toBe('done');
    expect((await ports.links.find(shop.orgId, linkId))?.revokedAt).not.toBe(null);
    expect(await readStates(opened)).toEqual(opened.sold.map(() => [true, 'sent']));
  });

  test('are none when none is selected, or what is asked for is unknown', async () => {
    const opened = await openSales();
    for (const path of [
      BULK,
      `${BULK}?action=revoke`,
      `${BULK}?action=melt&id=${opened.sold[0]}`,
      `${BULK}?action=revoke&all=yes&from=x`,
    ]) {
      const { statusCode, body } = await opened.owner.get(path);
      expect([path, statusCode]).toEqual([path, 400]);
      expect(body).toContain('No purchase is selected');
    }
    const posted = await opened.owner.submit('/dashboard/purchases', BULK, { action: 'revoke', p: 'x' });
    expect((await opened.owner.get(String(posted.headers.location))).body).toContain('Nothing was revoked');
    // What a page tells is what happened, never what its address says.
    const odd = await opened.owner.get(`${BULK}/result?result=revoke&done=7&unchanged=0&revoked=0`);
    expect(odd.statusCode).toBe(404);
  });
});
