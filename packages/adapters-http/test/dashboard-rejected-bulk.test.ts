import { signedSample } from '@handover/platform-storefront-a/testing';
import { openShop } from '@handover/testkit';
import { describe, expect, test } from 'vitest';
import { decodeHtml, hiddenPairsOf, openDashboard } from './open-dashboard.ts';
import { SALE, send } from './send-webhook.ts';

const SHOPIFY = '/dashboard/settings/integrations/storefront-a';
const REJECTED = `${SHOPIFY}/rejected`;

/** Three rejected orders. Once `setSecret` is called, the first two are genuine. */
async function open() {
  const dashboard = await openDashboard();
  const { shop, ports, clock, stores } = dashboard;
  const owner = await dashboard.signIn('owner');
  for (const [orderId, secret] of [
    ['8001', 'another-secret'],
    ['8002', 'another-secret'],
    ['8003', 'of-nobody'],
  ] as const) {
    await send(dashboard, signedSample(secret, { ...SALE, orderId, email: `b${orderId}@example.com` }));
    clock.advance(1000);
  }
  const listIds = async (orgId = shop.orgId) =>
    (await stores.rejected.list(orgId, 'storefront-a', new Date(0))).map(({ id }) => id);
  const ask = (action: string, ids: readonly string[], user = owner) => {
    const query = new URLSearchParams([['action', action]]);
    for (const id of ids) query.append('id', id);
    return user.get(`${REJECTED}/selected?${query}`);
  };
  return {
    ...dashboard,
    owner,
    ids: await listIds(),
    listIds,
    ask,
    /** Presses the button of a page that asks, and answers with the page that follows. */
    press: async (body: string, reason?: string) => {
      const fields = hiddenPairsOf(body);
      if (reason !== undefined) fields.push(['reason', reason]);
      const { statusCode, headers } = await owner.post(REJECTED, fields);
      expect(statusCode).toBe(303);
      return decodeHtml((await owner.get(String(headers.location))).body);
    },
    setSecret: async () => {
      const [known] = await ports.connections.listFacts(shop.orgId, clock.now());
      const fields = { shop: known?.id ?? '', secret: 'another-secret', action: 'replace' };
      await owner.submit(SHOPIFY, `${SHOPIFY}/secret`, fields);
    },
    readOverview: async () => decodeHtml((await owner.get('/dashboard/overview')).body),
    listActivity: async () =>
      (await stores.activity.list(shop.orgId, { subjectId: null, before: null, limit: 50 })).map(
        ({ kind, summary }) => `${kind}: ${summary}`,
      ),
  };
}

describe('selected rejected deliveries', () => {
  test('are selected on the list, without a script as well', async () => {
    const { owner, ids } = await open();
    const { body } = await owner.get(REJECTED);
    expect(body).toContain(`<form method="get" action="${REJECTED}/selected" data-select>`);
    for (const id of ids) expect(body).toContain(`<input type="checkbox" name="id" value="${id}">`);
    expect(body).toContain('Select #8001');
    expect(body).toMatch(/name="action" value="deliver"[\s\S]*name="action" value="dismiss"/);
    const none = await owner.get(`${REJECTED}/selected?action=dismiss`);
    expect([none.statusCode, none.body.includes('No delivery is selected')]).toEqual([400, true]);
  });

  test('are delivered if a secret verifies them, each once, and what happened to the others is said', async () => {
    const { ids, ask, press, setSecret, listIds, stores, shop, listActivity } = await open();
    const [first = '', second = '', forged = ''] = ids;
    const early = decodeHtml((await ask('deliver', ids)).body);
    expect(early).toContain('Left out: 3, since no secret that is set here verifies them.');
    expect(early).toContain('Nothing to deliver');
    expect(early.slice(early.indexOf('<main'), early.indexOf('</main'))).not.toContain('type="submit"');
    await setSecret();
    const asked = (await ask('deliver', [first, forged])).body;
    expect(asked).toContain('Deliver 1 rejected delivery?');
    expect(asked).toContain('<p><bdi>#8001</bdi>, <bdi>b8001@example.com</bdi></p>');
    expect(asked).toContain('It is processed as if it came in now');
    expect(asked).not.toContain('b8002@example.com');
    expect((await ask('deliver', [first, second])).body).toContain('<li><bdi>#8002</bdi>');
    expect(asked).toContain('Left out: 1, since no secret that is set here verifies it.');
    expect(await press(asked)).toContain('1 rejected delivery delivered');
    expect(await press(asked)).toMatch(
      /Nothing was delivered[\s\S]*1 left alone: delivered, dismissed or removed meanwhile\./,
    );
    expect(await listIds()).toEqual([second, forged]);
    const log = await stores.deliveries.list(shop.orgId, {
      ...{ status: null, platform: null, before: null, limit: 9 },
    });
    expect(log.map(({ orderId }) => orderId)).toEqual(['8001']);
    expect((await listActivity()).filter((entry) => entry.includes('webhook log'))).toEqual([
      'integration-changed: 1 rejected delivery of Shopify added to the webhook log.',
    ]);
  });

  test('stay where a form does not say what to do, which is explained', async () => {
    const { owner, ids, listIds, setSecret } = await open();
    await setSecret();
    const token = /name="form-token" content="([^"]+)"/.exec((await owner.get(REJECTED)).body)?.[1] ?? '';
    for (const fields of [[], [['action', 'destroy']]] as [string, string][][]) {
      const named = [['form-token', token], ['id', ids[0] ?? ''], ...fields] as [string, string][];
      const { statusCode, body } = await owner.post(REJECTED, named);
      expect([statusCode, decodeHtml(body).includes('no field “action”')]).toEqual([400, true]);
    }
    expect((await owner.get(`${REJECTED}/selected?id=${ids[0]}`)).statusCode).toBe(400);
    expect(await listIds()).toEqual(ids);
  });

  test('that nobody signs stay, though a form names them', async () => {
    const { owner, ids, listIds, setSecret } = await open();
    await setSecret();
    const page = await owner.get(REJECTED);
    const token = /name="form-token" content="([^"]+)"/.exec(page.body)?.[1] ?? '';
    const fields: [string, string][] = ids.map((id) => ['id', id]);
    const { headers } = await owner.post(REJECTED, [['form-token', token], ['action', 'deliver'], ...fields]);
    expect(decodeHtml((await owner.get(String(headers.location))).body)).toMatch(
      /2 rejected deliveries delivered[\s\S]*1 left alone: no secret that is set here verifies it\./,
    );
    expect(await listIds()).toEqual(ids.slice(2));
  });

  test('are dismissed for one reason, no longer count, are not delivered with all, and are brought back', async () => {
    const { owner, ids, ask, press, setSecret, listIds, readOverview, listActivity } = await open();
    const [first = '', second = '', forged = ''] = ids;
    expect(await readOverview()).toContain('Shopify: 3 deliveries rejected');
    const asked = (await ask('dismiss', [first, forged])).body;
    expect(asked).toContain('Dismiss 2 rejected deliveries?');
    const refused = await owner.post(REJECTED, [...hiddenPairsOf(asked), ['reason', ' ']]);
    expect([refused.statusCode, refused.body.includes('It must not be empty.')]).toEqual([400, true]);
    const list = await press(refused.body, 'Tests of ours');
    expect(list).toMatch(/Dismissed<\/h2>[\s\S]*#8001[\s\S]*Tests of ours[\s\S]*#8003/);
    expect(list).toContain(`“<bdi>Tests of ours</bdi>” · <bdi>${owner.email}</bdi>`);
    expect(list).toContain('2 rejected deliveries dismissed');
    expect(await readOverview()).toContain('Shopify: 1 delivery rejected');
    expect((await listActivity())[0]).toBe(
      'action-item-dismissed: Dismissed: 2 rejected deliveries of Shopify (#8001, #8003). Reason: Tests of ours',
    );
    expect(await press(asked, 'Again')).toMatch(
      /Nothing was dismissed[\s\S]*2 left alone: delivered, dismissed or removed meanwhile\./,
    );
    await setSecret();
    await owner.submit(SHOPIFY, REJECTED, { action: 'deliver' });
    expect(await listIds()).toEqual([]);
    const back = (await ask('bring-back', [first, second])).body;
    expect(back).toContain('Bring back 1 rejected delivery?');
    expect(back).toContain('1, since it was brought back or removed meanwhile');
    expect(await press(back)).toContain('1 rejected delivery brought back');
    expect(await press(back)).toContain('Nothing was brought back');
    expect(await listIds()).toEqual([first]);
    expect((await listActivity())[0]).toBe(
      'action-item-restored: Brought back: 1 rejected delivery of Shopify (#8001).',
    );
  });

  test('of another organisation are neither named nor changed', async () => {
    const opened = await open();
    const { ids, ask, listIds } = opened;
    const other = await openShop({ ...opened.ports, stores: opened.stores }, 'Other');
    const stranger = await opened.signIn('owner', other.orgId);
    for (const action of ['deliver', 'dismiss', 'bring-back']) {
      const { body } = await ask(action, ids, stranger);
      expect(body).not.toContain('b8001@example.com');
      const fields: [string, string][] = [
        ...hiddenPairsOf(body),
        ['reason', 'No'],
        ...ids.map((id): [string, string] => ['id', id]),
      ];
      expect((await stranger.post(REJECTED, fields)).statusCode).toBe(303);
    }
    expect(await listIds()).toEqual(ids);
  });
});
