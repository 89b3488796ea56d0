import { openShop } from '@handover/testkit';
import { describe, expect, test } from 'vitest';
import { addUser } from './add-user.ts';
import { bearer, openTestShop, type TestShop } from './open-test-shop.ts';
import { deliverOrder, download } from './sell-purchases.ts';

async function openSale() {
  const testShop = await openTestShop();
  const memberKey = await addUser(testShop, { orgId: testShop.shop.orgId, role: 'member' });
  return { ...testShop, ...(await deliverOrder(testShop)), memberKey };
}

function list({ app }: TestShop, key: string) {
  return app.inject({ url: '/api/download-sessions', headers: bearer(key) });
}

function change({ app }: TestShop, key: string, linkId: string, word: 'revoke' | 'restore') {
  return app.inject({ method: 'POST', url: `/api/download-links/${linkId}/${word}`, headers: bearer(key) });
}

async function listChanges({ stores, shop }: TestShop, subjectId: string) {
  const entries = await stores.activity.list(shop.orgId, { subjectId, before: null, limit: 100 });
  return entries
    .filter(({ kind }) => kind === 'link-revoked' || kind === 'link-restored')
    .map(({ kind, actor }) => [kind, actor]);
}

describe('GET /api/download-sessions', () => {
  test('returns flat rows to members: who, what, how much and when', async () => {
    const sale = await openSale();
    const startedAt = sale.clock.now().toISOString();
    await download(sale, sale.linkId, 3, true);
    const answer = await list(sale, sale.memberKey);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.json()).toEqual([
      {
        id: expect.any(String),
        downloadLinkId: sale.linkId,
        orgId: sale.shop.orgId,
        purchaseId: sale.purchaseId,
        customerName: 'Ana Lima',
        customerEmail: 'ana@example.com',
        productId: sale.shop.product.id,
        productName: 'Pads',
        productSlug: 'pads',
        version: '1.0',
        fileNames: ['pads.zip'],
        filesBegun: 1,
        filesWhole: 0,
        state: 'completed',
        bytesSent: 3,
        totalBytes: 5,
        startedAt,
        lastByteAt: '2026-03-02T09:00:04.000Z',
        completedAt: '2026-03-02T09:00:05.000Z',
        client: 'browser',
        downloadExpiresAt: '2026-03-04T09:00:00.000Z',
        downloadUsedAt: '2026-03-02T09:00:05.000Z',
        downloadRevokedAt: null,
      },
    ]);
  });

  test('shows members nothing of the sale, and never returns the link itself', async () => {
    const sale = await openSale();
    await download(sale, sale.linkId, 3, false);
    const { body } = await list(sale, sale.shop.ownerKey);
    for (const hidden of ['49.00', 'EUR', '5001', sale.ports.tokens.url(sale.shop.orgId, sale.linkId)]) {
      expect(body).not.toContain(hidden);
    }
  });

  test('shows the state of each session, the latest first', async () => {
    const sale = await openSale();
    await download(sale, sale.linkId, 2, false);
    sale.clock.advance(60_000);
    const other = await deliverOrder(sale, {
      orderId: '2',
      customer: { name: 'Bea', email: 'b@example.com' },
    });
    await download(sale, other.linkId, 5, false);
    const rows: readonly { readonly state: string }[] = (await list(sale, sale.memberKey)).json();
    expect(rows.map(({ state }) => state)).toEqual(['sent', 'interrupted']);
  });

  test('returns every session, across pages', async () => {
    const sale = await openSale();
    let { linkId } = sale;
    for (let at = 0; at < 450; at += 1) {
      // A link has a hundred at most.
      if (at % 90 === 89) ({ linkId } = await deliverOrder(sale, { orderId: String(at) }));
      await download(sale, linkId, 5, true);
      sale.clock.advance(1000);
    }
    const ids = (await list(sale, sale.memberKey)).json().map(({ id }: { readonly id: string }) => id);
    expect(new Set(ids).size).toBe(450);
    expect(ids).toEqual([...ids].sort().reverse());
  });

  test('returns an empty array without downloads', async () => {
    const sale = await openSale();
    expect((await list(sale, sale.memberKey)).body).toBe('[]');
  });
});

describe('POST /api/download-links/{id}/revoke and /restore', () => {
  test('revokes every link of the purchase, and restores them', async () => {
    const sale = await openSale();
    const path = new URL(sale.ports.tokens.url(sale.shop.orgId, sale.linkId)).pathname;
    const revoked = await change(sale, sale.memberKey, sale.linkId, 'revoke');
    expect(revoked.statusCode).toBe(200);
    expect(revoked.json()).toEqual({
      id: sale.linkId,
      orgId: sale.shop.orgId,
      purchaseId: sale.purchaseId,
      customerName: 'Ana Lima',
      customerEmail: 'ana@example.com',
      productName: 'Pads',
      version: '1.0',
      expiresAt: '2026-03-04T09:00:00.000Z',
      usedAt: null,
      revokedAt: '2026-03-02T09:00:00.000Z',
    });
    expect((await sale.app.inject(path)).statusCode).toBe(410);
    const restored = await change(sale, sale.memberKey, sale.linkId, 'restore');
    expect(restored.json()).toEqual({ ...revoked.json(), revokedAt: null });
    expect((await sale.app.inject(path)).statusCode).toBe(200);
  });

  test('is idempotent, and logs who did it', async () => {
    const sale = await openSale();
    const email = (await sale.stores.team.list(sale.shop.orgId)).find(({ role }) => role === 'member')?.email;
    const first = await change(sale, sale.memberKey, sale.linkId, 'revoke');
    sale.clock.advance(1000);
    expect((await change(sale, sale.memberKey, sale.linkId, 'revoke')).json()).toEqual(first.json());
    expect(await listChanges(sale, sale.purchaseId)).toEqual([['link-revoked', email]]);
    for (const _ of [1, 2]) {
      expect((await change(sale, sale.memberKey, sale.linkId, 'restore')).json().revokedAt).toBe(null);
    }
    expect(await listChanges(sale, sale.purchaseId)).toEqual([
      ['link-restored', email],
      ['link-revoked', email],
    ]);
  });

  test('ignores the body', async () => {
    const sale = await openSale();
    const headers = { ...bearer(sale.memberKey), 'content-type': 'application/json' };
    const url = `/api/download-links/${sale.linkId}/revoke`;
    const answer = await sale.app.inject({ method: 'POST', url, headers, payload: '{"broken' });
    expect(answer.statusCode).toBe(200);
  });

  test('answers 404 for unknown, malformed and foreign ids, and changes nothing', async () => {
    const sale = await openSale();
    const other = await openShop({ ...sale.ports, stores: sale.stores }, 'Other');
    const theirs = await deliverOrder({ ...sale, shop: other });
    for (const id of ['018f0000-0000-7000-8000-000000000000', 'x', '%00', sale.purchaseId, theirs.linkId]) {
      for (const word of ['revoke', 'restore'] as const) {
        const answer = await change(sale, sale.shop.ownerKey, id, word);
        expect([id, answer.statusCode]).toEqual([id, 404]);
        expect(answer.json()).toEqual({ error: 'There is no download link of this id.' });
      }
    }
    expect((await sale.stores.links.find(other.orgId, theirs.linkId))?.revokedAt).toBe(null);
    expect(await listChanges({ ...sale, shop: other }, theirs.purchaseId)).toEqual([]);
  });
});
