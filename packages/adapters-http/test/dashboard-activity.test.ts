import { describe, expect } from 'vitest';
import { csrfTokenOf, decodeHtml, type OpenedDashboard, openDashboard } from './open-dashboard.ts';
import { bearer } from './open-test-shop.ts';
import { test } from './test-in-shop.ts';

/** What the log says, newest first: who did what to what. Signing in comes before all of it. */
async function readLog({ ports, shop }: OpenedDashboard, orgId = shop.orgId) {
  const entries = await ports.activity.list(orgId, { subjectId: null, before: null, limit: 50 });
  return entries
    .filter(({ kind }) => !kind.startsWith('sign'))
    .map(({ kind, actor, summary, subjectId }) => ({ kind, actor, summary, subjectId }));
}

describe('the activity page', () => {
  const PAGE = '/dashboard/settings/activity';

  test('lists what was done by whom, newest first, by day, with links', async ({ dashboard, admin }) => {
    const fields = { name: 'Tape Loops', slug: 'tape' };
    await admin.submit('/dashboard/products/new', '/dashboard/products/new', fields);
    dashboard.clock.advance(24 * 60 * 60 * 1000);
    const [added] = await readLog(dashboard);
    const product = `/dashboard/products/${added?.subjectId}`;
    const details = { ...fields, name: 'Tape Hiss', description: 'Warm.' };
    await admin.submit(`${product}/details`, `${product}/details`, details);
    await admin.submit(`${product}/details`, `${product}/details`, details);
    const { body } = await admin.get(PAGE);
    expect(decodeHtml(body)).toMatch(
      /Today[\s\S]*Tape Hiss: renamed from “Tape Loops”; described anew\.[\s\S]*Yesterday[\s\S]*Tape Loops: added\./,
    );
    expect(body).toContain(`href="${product}"`);
    expect(body).toContain(admin.email);
    expect(await readLog(dashboard)).toHaveLength(2);
  });

  test('records a new API key, but never the key itself', async ({ dashboard, admin }) => {
    const keyPage = '/dashboard/settings/api-key';
    await admin.submit(keyPage, `${keyPage}/replace`, { name: 'default' });
    const [entry] = await readLog(dashboard);
    expect(entry).toMatchObject({ kind: 'api-key-refreshed', actor: admin.email, subjectId: admin.userId });
    expect(entry?.summary).not.toContain('hnd_');
  });

  test('continues where the previous page ended', async ({ dashboard, admin }) => {
    for (let number = 1; number <= 51; number += 1) {
      const at = dashboard.clock.now();
      const entry = {
        kind: 'sku-mapped',
        subjectId: dashboard.shop.product.id,
        summary: `Deed ${number}.`,
        via: 'automatic',
      } as const;
      await dashboard.ports.activity.add(dashboard.shop.orgId, {
        id: dashboard.ports.ids.next(),
        at,
        ...entry,
      });
    }
    const first = await admin.get(PAGE);
    expect(first.body).toContain('Deed 51.');
    expect(first.body).not.toContain('Deed 1.');
    const [, older = ''] = /rel="next" href="([^"]+)"/.exec(first.body) ?? [];
    const second = await admin.get(decodeHtml(older));
    expect(second.body).toContain('Deed 1.');
    expect(second.body).not.toContain('Deed 2.');
    expect(second.body).toContain('Automatic');
    expect((await admin.get(`${PAGE}?before=junk`)).statusCode).toBe(200);
  });

  test('shows orders apart, and filters by person and by what it is about', async ({ dashboard }) => {
    const [admin, other] = [await dashboard.signIn('admin'), await dashboard.signIn('admin')];
    const { orgId } = dashboard.shop;
    const add = (kind: 'order-delivered' | 'product-changed', summary: string, actor?: string) => {
      const base = {
        id: dashboard.ports.ids.next(),
        at: dashboard.clock.now(),
        kind,
        subjectId: orgId,
        summary,
      };
      return dashboard.ports.activity.add(orgId, { ...base, via: 'automatic', ...(actor && { actor }) });
    };
    await add('order-delivered', 'Order #1252 delivered.');
    await add('product-changed', 'Keys: added.', admin.email);
    await add('product-changed', 'Pads: renamed.', other.email);
    const shown = async (query: string) => {
      const { body } = await admin.get(`${PAGE}?${query}`);
      return ['Order #1252', 'Keys: added', 'Pads: renamed', 'signed in.'].filter((text) =>
        body.includes(text),
      );
    };
    expect(await shown('')).toEqual(['Keys: added', 'Pads: renamed', 'signed in.']);
    expect(await shown('what=orders')).toEqual(['Order #1252']);
    expect(await shown('what=all')).toEqual(['Order #1252', 'Keys: added', 'Pads: renamed', 'signed in.']);
    expect(await shown(`what=products&by=${encodeURIComponent(other.email)}`)).toEqual(['Pads: renamed']);
    expect((await admin.get(PAGE)).body).toContain(`<option value="${other.email}"`);
  });

  test('names once who signed in, and beside a sentence that does not say it', async ({ dashboard }) => {
    const admin = await dashboard.signIn('admin');
    const { ids, clock, activity } = dashboard.ports;
    const by = { actor: admin.email, via: 'dashboard' } as const;
    const entry = { id: ids.next(), at: clock.now(), subjectId: dashboard.shop.orgId, ...by };
    const summary = `The receipt is sent to ${admin.email} again.`;
    await activity.add(dashboard.shop.orgId, { ...entry, kind: 'receipt-resent', summary });
    const words = (await admin.get(`${PAGE}?what=all`)).body.replace(/<[^>]+>/g, '');
    expect(words.split(`${admin.email} signed in.`)[1]).toMatch(/^Dashboard/);
    expect(words).toContain(`${summary}${admin.email} · Dashboard`);
    expect(words).not.toContain('Not signed in');
  });

  /** One change on each of three days, beginning with 2 March 2026; the second would be a formula. */
  const openChanges = async () => {
    const dashboard = await openDashboard();
    const { activity, ids } = dashboard.ports;
    for (const summary of ['Keys: added.', '=Pads: added.', 'Tape: added.']) {
      const at = dashboard.clock.now();
      const subjectId = dashboard.shop.product.id;
      const entry = { id: ids.next(), at, kind: 'product-changed', subjectId, summary } as const;
      await activity.add(dashboard.shop.orgId, { ...entry, actor: 'jana@example.com', via: 'dashboard' });
      dashboard.clock.advance(24 * 60 * 60 * 1000);
    }
    return { ...dashboard, admin: await dashboard.signIn('admin') };
  };

  test('lists the entries from the first to the last day, both included', async () => {
    const { admin } = await openChanges();
    const { body } = await admin.get(`${PAGE}?what=products&from=2026-03-03&to=2026-03-04`);
    const shown = ['Keys: added.', '=Pads: added.', 'Tape: added.'].map((text) =>
      decodeHtml(body).includes(text),
    );
    expect(shown).toEqual([false, true, true]);
    expect(body).toContain('name="from" value="2026-03-03"');
    expect((await admin.get(`${PAGE}?to=2026-02-01`)).body).toContain('No entries of this kind');
    for (const page of [PAGE, `${PAGE}.csv`]) {
      const wrong = await admin.get(`${page}?from=2026-03-04&to=2026-03-02`);
      expect(wrong.statusCode).toBe(400);
      expect(decodeHtml(wrong.body)).toContain('“From” must not be after “To”.');
      const early = await admin.get(`${page}?from=2026-03-06`);
      expect(early.statusCode).toBe(400);
      expect(decodeHtml(early.body)).toContain('“From” is after today (UTC).');
    }
  });

  test('offers as CSV what is filtered, without formulas, and to nobody below an admin', async () => {
    const dashboard = await openChanges();
    const page = `${PAGE}?what=products&from=2026-03-03`;
    const shown = await dashboard.admin.get(page);
    const [, href = ''] = /href="([^"]*activity\.csv[^"]*)"/.exec(shown.body) ?? [];
    const { headers, body } = await dashboard.admin.get(decodeHtml(href));
    expect(headers['content-disposition']).toContain('activity_2026-03-03_2026-03-05.csv');
    const [head, ...rows] = body.trim().split('\r\n');
    expect(head).toBe('date,summary,person,via,viaDetail,kind,subjectId,activityId,day');
    expect(rows.map((row) => row.split(',').slice(0, 6).join(','))).toEqual([
      '2026-03-04T09:00:00.000Z,Tape: added.,jana@example.com,dashboard,,product-changed',
      "2026-03-03T09:00:00.000Z,'=Pads: added.,jana@example.com,dashboard,,product-changed",
    ]);
    expect((await (await dashboard.signIn('member')).get(`${PAGE}.csv`)).statusCode).toBe(403);
  });

  test('has all entries in the CSV, beyond one page', async () => {
    const { admin, ports, shop, clock } = await openChanges();
    for (let number = 0; number < 205; number += 1) {
      const base = {
        id: ports.ids.next(),
        at: clock.now(),
        kind: 'order-delivered',
        via: 'automatic',
      } as const;
      await ports.activity.add(shop.orgId, {
        ...base,
        subjectId: shop.product.id,
        summary: `Order ${number}.`,
      });
    }
    const { body } = await admin.get(`${PAGE}.csv?what=orders`);
    expect(new Set(body.trim().split('\r\n')).size).toBe(206);
  });

  test('filters by channel, and says when the result is empty', async ({ dashboard, admin }) => {
    const { ownerKey } = dashboard.shop;
    const none = await admin.get(`${PAGE}?via=api-key`);
    expect(none.body).toContain('No entries of this kind');
    const payload = { name: 'Keys', slug: 'keys' };
    await dashboard.app.inject({ method: 'POST', url: '/api/products', headers: bearer(ownerKey), payload });
    const { body } = await admin.get(`${PAGE}?via=api-key`);
    const [owner] = await dashboard.ports.team.list(dashboard.shop.orgId);
    expect(body).toContain('Keys: added.');
    expect(body).toContain(
      `<bdi>${owner?.email}</bdi> · API key <span class="key-ends">${dashboard.ports.apiKeys.hint(ownerKey)}</span>`,
    );
    expect(body).not.toContain(ownerKey);
    expect(body).not.toContain('signed in.');
    const all = await admin.get(`${PAGE}?via=junk`);
    expect(all.body).toContain('signed in.');
    expect(all.body).toContain('<p>Command line</p>');
    expect(csrfTokenOf(body)).not.toBe('');
  });
});
