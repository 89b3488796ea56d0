import { createProduct, createVersion } from '@handover/domain';
import { describe, expect } from 'vitest';
import { openDashboard } from './open-dashboard.ts';
import { lastAction, pageOf, withWaiting } from './product-page.ts';
import { test } from './test-in-shop.ts';

describe('orders that wait for a draft', () => {
  test('are announced before it is published, and delivered by the button that publishes', async () => {
    const opened = await withWaiting(3);
    opened.clock.advance(2 * 60 * 60 * 1000);
    const admin = await opened.signIn('admin');
    const { body } = await admin.get(pageOf(opened));
    expect(body).toContain('3 orders are waiting for this product');
    expect(body).toContain('Publishing delivers version 1.0 to their buyers and mails each a receipt.');
    expect(body).toContain('The oldest has waited 2 hours.');
    const answer = await admin.submit(pageOf(opened), `${pageOf(opened)}/deliver`);
    expect(answer.statusCode).toBe(303);
    expect(await opened.stores.products.find(opened.shop.orgId, opened.shop.product.id)).toMatchObject({
      status: 'published',
    });
    expect(await opened.stores.queuedJobs()).toContainEqual(
      expect.objectContaining({ release: { kind: 'product', productId: opened.shop.product.id } }),
    );
    expect(await lastAction(opened)).toMatchObject({ kind: 'product-changed', actor: admin.email });
  });

  test.each(['published', 'archived', 'draft'] as const)(
    'leave the details of a product that is %s one primary button, for members and admins',
    async (status) => {
      const opened = await withWaiting(1);
      const { clock, shop, stores } = opened;
      await stores.products.change(shop.orgId, shop.product.id, { status }, clock.now());
      for (const role of ['member', 'admin'] as const) {
        const { body } = await (await opened.signIn(role)).get(`${pageOf(opened)}/details`);
        expect(body).toContain('1 order is waiting for this product');
        expect(body.match(/<button class="btn" type="submit"(?! data-variant)[^>]*>/g), role).toHaveLength(1);
      }
    },
  );

  test('are counted for members, who cannot deliver them', async () => {
    const opened = await withWaiting(1);
    const member = await opened.signIn('member');
    const { body } = await member.get(pageOf(opened));
    expect(body).toContain('1 order is waiting for this product');
    expect(body).toContain('An owner or admin can deliver them.');
    expect(body).not.toContain('Publish and deliver');
    expect((await member.submit(pageOf(opened), `${pageOf(opened)}/deliver`)).statusCode).toBe(403);
    expect((await member.submit(pageOf(opened), `${pageOf(opened)}/publish`)).statusCode).toBe(303);
    expect((await opened.stores.queuedJobs()).filter(({ kind }) => kind === 'release-entries')).toEqual([]);
    expect((await (await opened.signIn('owner')).get(pageOf(opened))).body).toContain('Deliver 1');
  });

  test('stay waiting while it has no version', async () => {
    const opened = await withWaiting(1);
    await opened.stores.products.change(
      opened.shop.orgId,
      opened.shop.product.id,
      { activeVersionId: null },
      opened.clock.now(),
    );
    const admin = await opened.signIn('admin');
    expect((await admin.get(pageOf(opened))).body).toContain('No version is live yet');
    await admin.submit(pageOf(opened), `${pageOf(opened)}/deliver`);
    expect(await opened.stores.products.find(opened.shop.orgId, opened.shop.product.id)).toMatchObject({
      status: 'draft',
    });
  });
});

test('a product is archived and made a draft again, each with an entry in the log', async ({ dashboard }) => {
  const member = await dashboard.signIn('member');
  for (const [action, status] of [
    ['archive', 'archived'],
    ['unpublish', 'draft'],
    ['publish', 'published'],
  ]) {
    expect((await member.submit(pageOf(dashboard), `${pageOf(dashboard)}/${action}`)).statusCode).toBe(303);
    expect(
      await dashboard.stores.products.find(dashboard.shop.orgId, dashboard.shop.product.id),
    ).toMatchObject({ status });
    expect(await lastAction(dashboard)).toMatchObject({ kind: 'product-changed', actor: member.email });
    dashboard.clock.advance(1000);
  }
});

test('a product offers to edit it once, and not on the page where it is edited', async () => {
  const count = (body: string) => body.match(/>(?:<svg[\s\S]*?<\/svg>)?Edit<\/a>/g)?.length ?? 0;
  for (const opened of [await openDashboard(), await withWaiting(0), await withWaiting(1)]) {
    const owner = await opened.signIn('owner');
    expect(count((await owner.get(pageOf(opened))).body)).toBe(1);
    expect(count((await owner.get(`${pageOf(opened)}/skus`)).body)).toBe(1);
    expect(count((await owner.get(`${pageOf(opened)}/details`)).body)).toBe(0);
  }
});

test('publishing names the version that orders deliver now, or says that they are held', async () => {
  const dashboard = await openDashboard();
  const member = await dashboard.signIn('member');
  const publish = async () => {
    await member.submit(pageOf(dashboard), `${pageOf(dashboard)}/publish`);
    return (await member.get(pageOf(dashboard))).body;
  };
  expect(await publish()).toContain('Orders now deliver version 1.0.');
  await dashboard.stores.products.change(
    dashboard.shop.orgId,
    dashboard.shop.product.id,
    { activeVersionId: null },
    dashboard.clock.now(),
  );
  expect(await publish()).toContain('Orders are held until a version is live.');
});

test('a double click on a product’s action leaves one entry', async ({ dashboard, admin }) => {
  for (const action of ['publish', 'deliver', 'archive', 'archive', 'deliver']) {
    expect((await admin.submit(pageOf(dashboard), `${pageOf(dashboard)}/${action}`)).statusCode).toBe(303);
  }
  const actions = await dashboard.ports.activity.list(dashboard.shop.orgId, {
    subjectId: null,
    before: null,
    limit: 10,
  });
  const changes = actions.filter(({ kind }) => kind === 'product-changed');
  expect(changes.map(({ summary }) => summary)).toEqual(['Pads: archived.']);
});

test('the preview shows the buyers’ page with disabled buttons', async ({ dashboard, member }) => {
  const { body, statusCode } = await member.get(`${pageOf(dashboard)}/preview`);
  expect(statusCode).toBe(200);
  expect(body).toContain('This is a preview.');
  expect(body).toContain('aria-disabled="true"');
  expect(body).not.toContain('/d/');
  expect(body).not.toContain('<script');
  const draft = await createProduct(dashboard.ports, dashboard.shop.orgId, { name: 'Bare', slug: 'bare' });
  const id = draft.kind === 'created' ? draft.product.id : '';
  await createVersion(dashboard.ports, dashboard.shop.orgId, id, '1.0');
  expect((await member.get(`/dashboard/products/${id}/preview`)).body).toContain(
    'The files are not ready yet.',
  );
});
