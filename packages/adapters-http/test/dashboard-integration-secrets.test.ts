import { FRESH_FOR_MS, issueSignInLink } from '@handover/domain';
import { signedSample } from '@handover/platform-storefront-a/testing';
import { describe, expect, test } from 'vitest';
import { decodeHtml, hiddenFieldsOf } from './open-dashboard.ts';
import { openSettings } from './open-settings.ts';
import { SALE, send } from './send-webhook.ts';

const ROOT = '/dashboard/settings/integrations';
const SHOPIFY = `${ROOT}/storefront-a`;

describe('a secret', () => {
  test('is replaced, with its date, and logged without its value', async () => {
    const settings = await openSettings();
    const shop = settings.connectionId;
    const answer = await settings.owner.submit(SHOPIFY, `${SHOPIFY}/secret`, {
      shop,
      secret: 'brand-new',
      action: 'replace',
    });
    expect(answer.headers.location).toBe(`${SHOPIFY}?shop=${shop}`);
    const { body } = await settings.owner.get(SHOPIFY);
    expect(body).toContain('The one before it works until');
    expect(body).not.toContain('brand-new');
    expect(await settings.activity()).toEqual([
      { summary: 'The secret of Shopify, “main”, was replaced.', actor: settings.owner.email },
    ]);
    expect((await send(settings, signedSample('brand-new', SALE))).statusCode).toBe(200);
    expect(JSON.stringify(settings.log.lines)).not.toContain('brand-new');
  });

  test('is added beside the current one', async () => {
    const settings = await openSettings();
    const fields = { shop: settings.connectionId, secret: 'second-secret', action: 'add' };
    await settings.owner.submit(SHOPIFY, `${SHOPIFY}/secret`, fields);
    const added = decodeHtml((await settings.owner.get(SHOPIFY)).body);
    expect(added).toContain('2 secrets are valid');
    expect(added).toContain('The one before it works as well, until you replace it');
    expect(added).toContain('None of them ends by itself.');
    await settings.owner.submit(SHOPIFY, `${SHOPIFY}/secret`, { ...fields, action: 'replace' });
    const replaced = decodeHtml((await settings.owner.get(SHOPIFY)).body);
    expect(replaced).not.toContain('None of them ends by itself.');
    expect(replaced).toContain('The one before it works until');
  });

  test('that is invalid is refused, and not sent back', async () => {
    const settings = await openSettings();
    const secret = 'x'.repeat(1001);
    const fields = { shop: settings.connectionId, secret, action: 'replace' };
    const answer = await settings.owner.submit(SHOPIFY, `${SHOPIFY}/secret`, fields);
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('at most 1,000 characters');
    expect(answer.body).not.toContain(secret);
    expect(await settings.activity()).toEqual([]);
  });

  test('of fewer than 8 characters is refused with the remedy', async () => {
    const settings = await openSettings();
    const fields = { shop: settings.connectionId, secret: '7-signs', action: 'replace' };
    const answer = await settings.owner.submit(SHOPIFY, `${SHOPIFY}/secret`, fields);
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('It must have at least 8 characters: copy all of it');
    expect(answer.body).not.toContain('7-signs');
  });

  test.each([
    ['storefront-a', 'Copy it from Shopify.'],
    ['storefront-b', 'The same that you enter in WooCommerce.'],
    ['checkout-a', 'The same that you enter in FastSpring.'],
    ['checkout-a-classic', 'Copy it from FastSpring Classic.'],
  ])('of %s is asked for with where it comes from', async (platform, words) => {
    const settings = await openSettings();
    expect(decodeHtml((await settings.owner.get(`${ROOT}/${platform}`)).body)).toContain(words);
  });

  test('adds a shop with a new name, and refuses a missing or used name', async () => {
    const settings = await openSettings();
    const added = await settings.owner.submit(SHOPIFY, `${SHOPIFY}/secret`, {
      name: 'US shop',
      secret: 'us-secret',
    });
    expect(added.statusCode).toBe(303);
    expect((await settings.owner.get(SHOPIFY)).body).toContain('<bdi>US shop</bdi>');
    const taken = await settings.owner.submit(SHOPIFY, `${SHOPIFY}/secret`, {
      name: ' main ',
      secret: 'us-secret',
    });
    expect(taken.statusCode).toBe(400);
    expect(taken.body).toContain('a shop of that name already');
  });

  describe('a secret in the URL', () => {
    const CART = `${ROOT}/cart-a`;
    const offeredIn = (body: string) => {
      const [, url = ''] = /data-copy="([^"]*\?secret=[^"]+)"/.exec(decodeHtml(body)) ?? [];
      return new URL(url).searchParams.get('secret') ?? '';
    };
    const secretsOf = async (awaited: Awaited<ReturnType<typeof openSettings>>) =>
      (await awaited.stores.connections.list(awaited.shop.orgId, 'cart-a', awaited.clock.now()))?.[0]
        ?.secrets;

    test('is offered within the URL, saved, and never shown again', async () => {
      const settings = await openSettings();
      const { body } = await settings.owner.get(CART);
      const offered = offeredIn(body);
      expect(body).toContain(`name="offered" value="${offered}"`);
      expect(await secretsOf(settings)).toBeUndefined();
      const fields = { name: 'main', secret: '', offered, action: 'replace' };
      const answer = await settings.owner.submit(CART, `${CART}/secret`, fields);
      expect(answer.statusCode).toBe(303);
      expect(answer.headers.location).not.toContain(offered);
      expect(await secretsOf(settings)).toEqual([offered]);
      expect((await settings.owner.get(answer.headers.location ?? '')).body).not.toContain(offered);
      expect(JSON.stringify([settings.log.lines, await settings.activity()])).not.toContain(offered);
    });

    test('is the same at every request until it is saved, and then a new one', async () => {
      const settings = await openSettings();
      const offers = async (path = CART) => offeredIn((await settings.owner.get(path)).body);
      const [one, again] = [await offers(), await offers()];
      expect(again).toBe(one);
      await settings.owner.submit(CART, `${CART}/secret`, { name: 'main', offered: one, action: 'replace' });
      const [next, forAnotherShop] = [await offers(), await offers(`${CART}?new`)];
      expect(new Set([one, next, forAnotherShop]).size).toBe(3);
      expect([await offers(), await offers(`${CART}?new`)]).toEqual([next, forAnotherShop]);
    });

    test('is shown only while the sign-in is fresh, and is the same after its confirmation', async () => {
      const settings = await openSettings();
      const { owner, clock, ports } = settings;
      const offered = offeredIn((await owner.get(CART)).body);
      clock.advance(FRESH_FOR_MS);
      const { body } = await owner.get(CART);
      expect(body).not.toContain('?secret=');
      expect(body).not.toContain('name="offered"');
      const [, confirm = ''] = /href="(\/dashboard\/confirm[^"]*)"/.exec(decodeHtml(body)) ?? [];
      expect((await owner.get(confirm)).body).toContain('Confirm that it is you');
      const issued = await issueSignInLink(ports, owner.email);
      if (issued.kind !== 'issued') throw new Error(issued.kind);
      await owner.post(new URL(issued.url).pathname);
      const back = (await owner.get(confirm)).headers.location ?? '';
      expect(offeredIn((await owner.get(back)).body)).toBe(offered);
    });

    test('that a form brings long after the sign-in is kept while the sign-in is confirmed, and saved then', async () => {
      const settings = await openSettings();
      const { owner, clock, ports } = settings;
      const { body } = await owner.get(CART);
      clock.advance(FRESH_FOR_MS);
      const fields = { ...hiddenFieldsOf(body), name: 'main', secret: '', action: 'replace' };
      const kept = await owner.post(`${CART}/secret`, fields);
      expect([kept.statusCode, await secretsOf(settings)]).toEqual([403, undefined]);
      const issued = await issueSignInLink(ports, owner.email);
      if (issued.kind !== 'issued') throw new Error(issued.kind);
      await owner.post(new URL(issued.url).pathname);
      expect((await owner.post(`${CART}/secret`, hiddenFieldsOf(kept.body))).statusCode).toBe(303);
      expect(await secretsOf(settings)).toEqual([offeredIn(body)]);
    });

    test('is another one for each user, so that one who has left has not seen it', async () => {
      const settings = await openSettings();
      const admin = await settings.signIn('admin');
      for (const page of [CART, `${CART}?new`]) {
        const seen = offeredIn((await admin.get(page)).body);
        expect(seen).not.toBe('');
        expect(offeredIn((await settings.owner.get(page)).body)).not.toBe(seen);
      }
    });

    test('leads, where it is not shown, back to the same shop after the confirmation', async () => {
      const settings = await openSettings();
      const { owner } = settings;
      const offered = offeredIn((await owner.get(CART)).body);
      const set = { name: 'main', offered, action: 'replace' };
      const saved = (await owner.submit(CART, `${CART}/secret`, set)).headers.location ?? '';
      settings.clock.advance(FRESH_FOR_MS);
      for (const page of [saved, `${CART}?new`]) {
        const body = decodeHtml((await owner.get(page)).body);
        expect(body).toContain(`/dashboard/confirm?${new URLSearchParams({ to: page }).toString()}`);
        expect(body).not.toContain('data-copy="http');
      }
    });

    test('shows no other URL in the place of the one that was saved', async () => {
      const settings = await openSettings();
      const folded = async (path: string) => {
        const body = decodeHtml((await settings.owner.get(path)).body);
        const [, open = '', rest = ''] =
          /<details class="new-url" (open)?>(.*?)<\/details>/s.exec(body) ?? [];
        return { body: body.replace(rest, ''), open, rest };
      };
      const first = await folded(CART);
      expect(first.rest).toBe('');
      const fields = { name: 'main', secret: '', offered: offeredIn(first.body), action: 'replace' };
      const { headers } = await settings.owner.submit(CART, `${CART}/secret`, fields);
      const saved = await folded(headers.location ?? '');
      expect(saved.body).toContain('Webhook URL in use');
      expect(saved.body).toContain('Leave it in SamCart.');
      expect(offeredIn(`${saved.rest}`)).not.toBe('');
      expect(saved.open).toBe('');
      expect(saved.body).not.toContain('data-copy="http');
    });

    test('can be the merchant’s own', async () => {
      const settings = await openSettings();
      const offered = offeredIn((await settings.owner.get(CART)).body);
      const fields = { name: 'main', secret: ' my-own-long-secret ', offered, action: 'replace' };
      await settings.owner.submit(CART, `${CART}/secret`, fields);
      expect(await secretsOf(settings)).toEqual(['my-own-long-secret']);
    });

    test('of fewer than 16 characters is refused with the remedy, and the same URL is offered again', async () => {
      const settings = await openSettings();
      const offered = offeredIn((await settings.owner.get(CART)).body);
      const fields = { name: 'main', secret: 'fifteen-letters', offered, action: 'replace' };
      const refused = await settings.owner.submit(CART, `${CART}/secret`, fields);
      expect(refused.statusCode).toBe(400);
      expect(refused.body).toContain('It must have at least 16 characters: use a generated one.');
      expect(refused.body).not.toContain('fifteen-letters');
      expect(offeredIn(refused.body)).toBe(offered);
      expect(await secretsOf(settings)).toBeUndefined();
    });

    test('that was saved when it could be short has a warning until it is replaced', async () => {
      const settings = await openSettings();
      const { stores, ports, shop, clock } = settings;
      const change = { orgId: shop.orgId, platform: 'cart-a', name: 'main', now: clock.now() } as const;
      const connectionId = ports.ids.next();
      const short = { ...change, connectionId, secretId: ports.ids.next(), secret: 'too-short' };
      await stores.connections.addSecret(short);
      const { body } = await settings.owner.get(CART);
      expect(body).toContain('The secret is short');
      expect(body).toContain('needs at least 16 characters now');
      expect(body).not.toContain('too-short');
      expect(decodeHtml((await settings.owner.get('/dashboard/overview')).body)).toContain(
        `${CART}?shop=${connectionId}`,
      );
      const fields = { shop: connectionId, offered: offeredIn(body), secret: '', action: 'replace' };
      expect((await settings.owner.submit(CART, `${CART}/secret`, fields)).statusCode).toBe(303);
      expect((await settings.owner.get(CART)).body).not.toContain('The secret is short');
      expect((await settings.owner.get('/dashboard/overview')).body).not.toContain('the secret is short');
    });

    test('that was saved for one shop is not saved for a second one', async () => {
      const settings = await openSettings();
      const offered = offeredIn((await settings.owner.get(CART)).body);
      const set = (name: string) =>
        settings.owner.submit(CART, `${CART}/secret`, { name, offered, action: 'replace' });
      expect((await set('EU')).statusCode).toBe(303);
      const refused = await set('US');
      expect(refused.statusCode).toBe(400);
      expect(decodeHtml(refused.body)).toContain('belongs to “EU” by now');
      expect(offeredIn(refused.body)).not.toBe(offered);
      expect(
        await settings.stores.connections.list(settings.shop.orgId, 'cart-a', settings.clock.now()),
      ).toHaveLength(1);
    });

    test('stays the offered one when the form is rejected', async () => {
      const settings = await openSettings();
      const fields = { name: '', secret: '', offered: 'copied-already', action: 'replace' };
      const answer = await settings.owner.submit(CART, `${CART}/secret`, fields);
      expect(answer.statusCode).toBe(400);
      expect(offeredIn(answer.body)).toBe('copied-already');
      expect(await secretsOf(settings)).toBeUndefined();
    });
  });
});
