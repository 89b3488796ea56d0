import { continueBulk, restorePurchase, revokePurchase } from '@handover/domain';
import { BY_JANA, openShop } from '@handover/testkit';
import { describe, expect, test } from 'vitest';
import { undoLater } from '../../../test/undo.ts';
import { decodeHtml, hiddenPairsOf, type OpenedDashboard, openDashboard } from './open-dashboard.ts';
import { completeReceipt, deliverOrder } from './sell-purchases.ts';

const BULK = '/dashboard/purchases/bulk';

async function openSales() {
  const dashboard = await openDashboard();
  const sold = [];
  for (const number of ['1001', '1002', '1003']) {
    const customer = { name: `Buyer ${number}`, email: `b${number}@example.com` };
    const sale = await deliverOrder(dashboard, { orderId: number, orderNumber: `#${number}`, customer });
    await completeReceipt(dashboard, sale.receiptId, 'sent', 'ok');
    sold.push(sale.purchaseId);
  }
  return { ...dashboard, sold, owner: await dashboard.signIn('owner') };
}

type Opened = Awaited<ReturnType<typeof openSales>>;

function ask({ owner }: Opened, action: string, ids: readonly string[], more: Record<string, string> = {}) {
  const query = new URLSearchParams({ action, ...more });
  for (const id of ids) query.append('id', id);
  return owner.get(`${BULK}?${query}`);
}

/** Presses the button of a page that asks. */
async function press({ app, owner }: Opened, body: string) {
  const fields = [...body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
  const form = new URLSearchParams(
    fields.map(([, name = '', value = '']) => [name, decodeHtml(value)] as [string, string]),
  );
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = {
    cookie,
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/x-www-form-urlencoded',
  };
  const { statusCode, headers: answered } = await app.inject({
    method: 'POST',
    url: BULK,
    headers,
    payload: form.toString(),
  });
  expect(statusCode).toBe(303);
  return owner.get(String(answered.location));
}

/** As a page that asked again would hold it. */
function withKey(body: string, key = '00000000-0000-7000-8000-0000000000fe'): string {
  return body.replace(/name="key" value="[^"]+"/, `name="key" value="${key}"`);
}

/** A page that asks whether to revoke all, of which there are too many for one transaction. */
async function askForMany(opened: Opened) {
  const { search, countMatching } = opened.ports.purchases;
  const one = await opened.ports.purchases.show(opened.shop.orgId, opened.sold[0] ?? '');
  opened.ports.purchases.search = async () => Array.from({ length: 501 }, () => one) as never;
  opened.ports.purchases.countMatching = async () => 501;
  undoLater(() => {
    opened.ports.purchases.countMatching = countMatching;
  });
  const asked = await ask(opened, 'revoke', [], { all: 'yes', source: 'storefront-a' });
  opened.ports.purchases.search = search;
  return asked;
}

async function readStates({ ports, shop, sold }: Pick<Opened, 'sold'> & OpenedDashboard) {
  const records = await Promise.all(sold.map((id) => ports.purchases.show(shop.orgId, id)));
  return records.map((record) => [record?.revokedAt === null, record?.receiptStatus]);
}

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
    expect(restore.body).toContain('Left out: 1, since they are not revoked.');
    expect((await press(opened, restore.body)).body).toContain('2 purchases restored');
  });

  test('get their receipts again, once', async () => {
    const opened = await openSales();
    const [first = ''] = opened.sold;
    await opened.owner.submit(`/dashboard/purchases/${first}`, `/dashboard/purchases/${first}/revoke`);
    const asked = await ask(opened, 'resend', opened.sold);
    expect(asked.body).toContain('Send 2 receipts again?');
    expect(asked.body).toContain('2 mails with new links go out');
    expect(asked.body).toContain('Left out: 1, since they are revoked.');
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

  test('are those of a status, and test orders by their names', async () => {
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
    'status=test',
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
    const page = /hx-get="([^"]+)"/.exec(begun.body.slice(begun.body.indexOf('id="bulk"')))?.[1] ?? '';
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

test('the page of a revocation undoes it, but for purchases that were changed since, and says how many', async () => {
  const opened = await openSales();
  const { owner, ports, shop, sold } = opened;
  const [first = ''] = sold;
  const revoked = await press(opened, (await ask(opened, 'revoke', sold)).body);
  const [, undoAt = ''] = /action="([^"]+\/undo)"/.exec(revoked.body) ?? [];
  expect(undoAt).toMatch(/^\/dashboard\/purchases\/bulk\/[\da-f-]{36}\/undo$/);
  await restorePurchase(ports, shop.orgId, first, BY_JANA);
  await revokePurchase(ports, shop.orgId, first, BY_JANA);
  const undo = async () => {
    const { headers } = await owner.post(
      undoAt,
      hiddenPairsOf(revoked.body.slice(0, revoked.body.indexOf('/undo'))),
    );
    return decodeHtml((await owner.get(String(headers.location))).body);
  };
  const undone = await undo();
  expect(undone).toContain('2 purchases restored');
  expect(undone).toContain('1 purchase left alone: restored before, or revoked again since.');
  expect(undone).not.toContain('/undo"');
  expect(await readStates(opened)).toEqual([false, true, true].map((isValid) => [isValid, 'sent']));
  const again = await undo();
  expect(again).toContain('Nothing was restored');
  expect(again).toContain('3 purchases left alone');
});

test('an Undo of more than 500 is a job, whose page follows it', async () => {
  const opened = await openSales();
  const { owner, ports, shop, stores, sold } = opened;
  const { orgId } = shop;
  const key = ports.ids.next();
  await press(opened, withKey((await ask(opened, 'revoke', sold)).body, key));
  const run = await ports.bulkActions.find(orgId, key);
  await stores.bulkActions.advance(orgId, key, { ...run, counts: { ...run?.counts, done: 501 } } as never);
  const begun = await owner.submit('/dashboard/purchases', `${BULK}/${key}/undo`);
  const page = String(begun.headers.location);
  expect((await owner.get(page)).body).toContain('hx-trigger="every 2s"');
  await continueBulk(ports, { orgId, bulkId: page.split('/').at(-1) ?? '' });
  const over = decodeHtml((await owner.get(page)).body);
  expect(over).toContain('3 purchases restored');
  expect(over).toContain('498 purchases left alone');
  const activity = decodeHtml((await owner.get('/dashboard/settings/activity')).body);
  expect(activity).toContain('The Undo of a revocation ended: 3 restored.');
});

test('an Undo of something else, or of another organisation’s, is not found', async () => {
  const opened = await openSales();
  const { owner, ports, sold } = opened;
  const other = await openShop({ ...ports, stores: opened.stores }, 'Other');
  const stranger = await opened.signIn('owner', other.orgId);
  const key = ports.ids.next();
  const p = sold.join('\n');
  await owner.submit('/dashboard/purchases', BULK, { action: 'revoke', p, key });
  const answers = [
    await stranger.submit('/dashboard/purchases', `${BULK}/${key}/undo`),
    await owner.submit('/dashboard/purchases', `${BULK}/nothing/undo`),
    await owner.submit('/dashboard/purchases', `${BULK}/${ports.ids.next()}/undo`),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404]);
  expect(await readStates(opened)).toEqual(sold.map(() => [false, 'sent']));
});

test('a bulk action whose author is a member by now says why it stopped', async () => {
  const opened = await openSales();
  const { ports, shop, stores } = opened;
  await press(opened, (await askForMany(opened)).body);
  const [job] = (await stores.queuedJobs()).filter(({ kind }) => kind === 'run-bulk-action');
  const bulkId = job?.kind === 'run-bulk-action' ? job.bulkId : '';
  await continueBulk(ports, { orgId: shop.orgId, bulkId }, 2);
  const other = await opened.signIn('admin');
  const author = (await stores.team.list(shop.orgId)).find(({ email }) => email === opened.owner.email);
  await stores.team.setRole(shop.orgId, author?.id ?? '', { from: 'owner', to: 'member' });
  await continueBulk(ports, { orgId: shop.orgId, bulkId }, 2);
  const over = decodeHtml((await other.get(`${BULK}/${bulkId}`)).body);
  expect(over).toContain('Stopped after 2 of 501 purchases. What was done stays done.');
  expect(over).toContain(`${opened.owner.email} is not an owner or admin any more.`);
});

test('an Undo of revoking that comes too late says what changed, and so does a second revocation', async () => {
  const opened = await openSales();
  const page = `/dashboard/purchases/${opened.sold[0]}`;
  const press = async (what: string) => {
    await opened.owner.submit(page, `${page}/${what}`);
    return decodeHtml((await opened.owner.get(page)).body);
  };
  expect(await press('revoke')).toContain('Its links have stopped working.');
  const again = await press('revoke');
  expect(again).toContain('It is revoked already: its links had stopped working before.');
  expect(again.slice(again.indexOf('id="toaster"'))).not.toContain('Undo');
  expect(await press('restore')).toContain('Its links work again until they expire.');
  expect(await press('restore')).toContain('Somebody restored it meanwhile: its links work already.');
});
