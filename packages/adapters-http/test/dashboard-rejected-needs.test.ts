import { createOrganisation, createProduct } from '@handover/domain';
import { signedSample } from '@handover/platform-storefront-a/testing';
import { describe, expect, test } from 'vitest';
import { decodeHtml, hiddenFieldsOf, openDashboard } from './open-dashboard.ts';
import { SALE, send } from './send-webhook.ts';

const OVERVIEW = '/dashboard/overview';
const DISMISS = `${OVERVIEW}/dismiss`;

async function open() {
  const dashboard = await openDashboard();
  const owner = await dashboard.signIn('owner');
  return { ...dashboard, owner, readOverview: async () => decodeHtml((await owner.get(OVERVIEW)).body) };
}

describe('rejected deliveries', () => {
  test('stay in view when a genuine one arrives, and name the order and address that they say they have', async () => {
    const opened = await open();
    const { owner, readOverview } = opened;
    await createProduct(opened.ports, opened.shop.orgId, { name: 'Keys', slug: 'keys' });
    await send(opened, signedSample('another-secret', { ...SALE, email: 'rejected@example.com' }));
    opened.clock.advance(60_000);
    await send(opened, signedSample('test-secret', { ...SALE, orderId: '77' }));
    expect(await readOverview()).toContain('Shopify: 1 delivery rejected');
    const list = (await owner.get('/dashboard/settings/integrations/storefront-a/rejected')).body;
    expect(list).toContain('rejected@example.com');
    expect(decodeHtml(list)).toContain('nobody verified them');
    const fields = hiddenFieldsOf((await owner.get(`${DISMISS}?subject=rejecting+storefront-a`)).body);
    await owner.post(DISMISS, { ...fields, reason: 'A test of ours' });
    expect(await readOverview()).toMatch(/1 dismissed[\s\S]*Shopify: 1 delivery rejected/);
  });

  test('of a platform without a secret are not said to differ from one', async () => {
    const { app, ports, signIn } = await openDashboard();
    const created = await createOrganisation(ports, { name: 'New', ownerEmail: 'new@example.com' });
    const orgId = created.kind === 'created' ? created.organisation.id : '';
    const { headers, body } = signedSample('not-entered-yet', SALE);
    const url = `/webhooks/${orgId}/storefront-a`;
    expect((await app.inject({ method: 'POST', url, headers, payload: Buffer.from(body) })).statusCode).toBe(
      401,
    );
    const owner = await signIn('owner', orgId);
    const overview = decodeHtml((await owner.get(OVERVIEW)).body);
    expect(overview).toContain('Shopify: 1 delivery rejected');
    expect(overview).toContain(
      'No secret is stored here. Once it is set, you can deliver what was rejected.',
    );
    expect(overview).toContain('Set the secret');
    expect(overview).not.toContain('not match the secret');
  });
});
