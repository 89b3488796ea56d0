import { continueBulk, restorePurchase, revokePurchase } from '@handover/domain';
import { BY_JANA, openShop } from '@handover/testkit';
import { expect, test } from 'vitest';
import { decodeHtml, hiddenPairsOf } from './open-dashboard.ts';
import { ask, askForMany, BULK, openSales, press, readStates, withKey } from './sell-in-bulk.ts';

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
  await stores.team.setRole(shop.orgId, author?.id ?? '', { by: shop.ownerId, from: 'owner', to: 'member' });
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
