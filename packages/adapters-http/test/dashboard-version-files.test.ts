import { createVersion, moveVersionFile, nameVersionFile } from '@handover/domain';
import { createFakeTokens } from '@handover/testkit';
import { describe, expect, test } from 'vitest';
import { openDashboard } from './open-dashboard.ts';
import { bearer } from './open-test-shop.ts';
import { deliverOrder } from './sell-purchases.ts';

/** A member beside a version with two files that is not live. */
async function open() {
  const dashboard = await openDashboard();
  const { ports, shop } = dashboard;
  const { id: productId } = shop.product;
  const created = await createVersion(ports, shop.orgId, productId, '2.0');
  const versionId = created.kind === 'created' ? created.version.id : '';
  for (const name of ['a.zip', 'b.zip'])
    await ports.products.putFile(shop.orgId, versionId, { name, size: 3, sha256: 'a'.repeat(64) });
  const user = await dashboard.signIn('member');
  const page = `/dashboard/products/${productId}`;
  const names = async (id = versionId) =>
    ((await ports.products.findVersion(shop.orgId, productId, id))?.files ?? []).map(
      ({ name, displayName }) => displayName ?? name,
    );
  const press = (action: string, name: string, displayName = '', version = versionId) =>
    user.submit(page, `${page}/versions/${version}/file`, { action, name, displayName });
  const summaries = async () =>
    (await ports.activity.list(shop.orgId, { subjectId: productId, before: null, limit: 9 })).map(
      ({ summary }) => summary,
    );
  return { ...dashboard, user, page, productId, versionId, names, press, summaries };
}

describe('on the page of a product', () => {
  test('files are named, ordered and removed by plain forms, each with its entry', async () => {
    const { user, names, press, summaries, versionId } = await open();
    const saved = await press('save', 'b.zip', ' Windows ');
    expect(saved.statusCode).toBe(303);
    expect(await names()).toEqual(['a.zip', 'Windows']);
    const moved = await press('up', 'b.zip', 'Windows');
    expect(await names()).toEqual(['Windows', 'a.zip']);
    // The list stays open where the button was pressed.
    const shown = (await user.get(String(moved.headers.location))).body;
    expect(shown).toContain(`id="files-${versionId}" open`);
    expect(await press('down', 'a.zip')).toMatchObject({ statusCode: 303 });
    expect((await press('remove', 'a.zip')).statusCode).toBe(303);
    expect(await names()).toEqual(['Windows']);
    expect(await summaries()).toEqual([
      'Pads: a.zip removed from version 2.0.',
      'Pads: b.zip moved up in version 2.0.',
      'Pads: b.zip of version 2.0 is called “Windows” now.',
    ]);
  });

  test('a name that misleads is refused where it was typed, and stays typed', async () => {
    const { names, press } = await open();
    const refused = await press('up', 'b.zip', 'exe.\u202egpj');
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain('The name must be one line without control characters');
    expect(refused.body).toContain('value="exe.\u202egpj"');
    expect(await names()).toEqual(['a.zip', 'b.zip']);
  });

  test('a file stays while the version is live, or a buyer’s link serves it, and the page says why', async () => {
    const dashboard = await open();
    const { ports, shop, press, productId, versionId, names } = dashboard;
    await deliverOrder(dashboard);
    const name = (await names(shop.version.id))[0] ?? '';
    const live = await press('remove', name, '', shop.version.id);
    expect([live.statusCode, live.body.includes('This version is live')]).toEqual([400, true]);
    await ports.products.activate(shop.orgId, productId, versionId, dashboard.clock.now());
    const bought = await press('remove', name, '', shop.version.id);
    expect([bought.statusCode, bought.body.includes('Somebody bought this version')]).toEqual([400, true]);
    expect(await names(shop.version.id)).toEqual([name]);
    const gone = await press('remove', 'gone.zip');
    expect([gone.statusCode, gone.body.includes('changed meanwhile')]).toEqual([400, true]);
  });
});

test('buyers see names and order on their page and in their library, and copies keep the real names', async () => {
  const dashboard = await open();
  const { app, ports, shop, productId, versionId } = dashboard;
  const place = { orgId: shop.orgId, productId, versionId, name: 'b.zip' };
  await nameVersionFile(ports, place, 'Windows “x64”');
  await moveVersionFile(ports, place, 'up');
  await ports.products.activate(shop.orgId, productId, versionId, dashboard.clock.now());
  const { linkId } = await deliverOrder(dashboard);
  const token = createFakeTokens().seal(shop.orgId, linkId);
  const page = await app.inject({ url: `/d/${encodeURIComponent(token)}` });
  const at = (text: string) => page.body.indexOf(text);
  expect(page.statusCode).toBe(200);
  expect(at('<bdi>Windows “x64”</bdi>')).toBeGreaterThan(0);
  expect(at('<bdi>Windows “x64”</bdi>')).toBeLessThan(at('<bdi>a.zip</bdi>'));
  expect(page.body).toContain('<bdi>b.zip</bdi> · ');
  const head = await app.inject({
    method: 'HEAD',
    url: `/d/${encodeURIComponent(token)}/files/2.0/b.zip`,
  });
  expect(head.headers['content-disposition']).toContain('b.zip');
  expect(head.headers['content-disposition']).not.toContain('Windows');
});

test('the API has names and order, as an addition', async () => {
  const { app, ports, shop, productId, versionId } = await open();
  const place = { orgId: shop.orgId, productId, versionId, name: 'b.zip' };
  await nameVersionFile(ports, place, 'Windows');
  await moveVersionFile(ports, place, 'up');
  const url = `/api/products/${productId}/versions`;
  const answer = await app.inject({
    method: 'PUT',
    url: `${url}/${versionId}/files/c.zip`,
    headers: { ...bearer(shop.ownerKey), 'content-type': 'application/octet-stream' },
    payload: Buffer.from('hello'),
  });
  expect(answer.json()).toMatchObject({ name: 'c.zip' });
  const activated = await app.inject({
    method: 'POST',
    url: `${url}/${versionId}/activate`,
    headers: bearer(shop.ownerKey),
  });
  const { files } = activated.json<{ activeVersion: { files: readonly Record<string, unknown>[] } }>()
    .activeVersion;
  expect(files.map(({ name, displayName }) => [name, displayName])).toEqual([
    ['b.zip', 'Windows'],
    ['a.zip', null],
    ['c.zip', null],
  ]);
});
