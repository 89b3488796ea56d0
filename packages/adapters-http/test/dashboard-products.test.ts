import { createProduct } from '@handover/domain';
import { describe, expect } from 'vitest';
import { decodeHtml, openDashboard } from './open-dashboard.ts';
import { test } from './test-in-shop.ts';

const HOSTILE = '<img src=x onerror=alert(1)>"\'&';

describe('the products pages', () => {
  test('list the products, with search and a status filter', async ({ dashboard, member }) => {
    await createProduct(dashboard.ports, dashboard.shop.orgId, { name: 'Tape Loops', slug: 'tape' });
    expect((await member.get('/dashboard/products')).body).toMatch(
      /Tape Loops[\s\S]*No live version[\s\S]*Pads/,
    );
    expect((await member.get('/dashboard/products?q=tAPE')).body).not.toContain('>Pads<');
    expect((await member.get('/dashboard/products?status=published')).body).not.toContain('Tape Loops');
    expect((await member.get('/dashboard/products?q=zzz')).body).toContain('Nothing for “zzz”');
  });

  test('continue where the previous page ended', async ({ dashboard, member }) => {
    for (let number = 1; number <= 52; number += 1) {
      await createProduct(dashboard.ports, dashboard.shop.orgId, {
        name: `Loop ${number}`,
        slug: `loop-${number}`,
      });
    }
    const first = await member.get('/dashboard/products?q=loop');
    expect(first.body).toContain('>Loop 52<');
    expect(first.body).not.toContain('>Loop 2<');
    const [, older = ''] = /rel="next" href="([^"]+)"/.exec(first.body) ?? [];
    const second = await member.get(decodeHtml(older));
    expect(second.body).toContain('>Loop 2<');
    expect(second.body).not.toContain('>Loop 3<');
    expect(second.body).not.toContain('>Pads<');
    expect((await member.get('/dashboard/products?before=junk')).statusCode).toBe(200);
  });

  test('show an empty organisation how to begin', async ({ dashboard }) => {
    const other = await dashboard.ports.organisations.find(dashboard.shop.orgId);
    const fresh = {
      ...other,
      id: dashboard.ports.ids.next(),
      name: 'Fresh',
      email: 'a@x',
      alertEmail: null,
      defaultCurrency: null,
      language: 'en' as const,
      timeZone: 'UTC',
      subscriptionExpiresAt: null,
      createdAt: dashboard.clock.now(),
    };
    const owner = {
      id: dashboard.ports.ids.next(),
      email: 'fresh@example.com',
      name: null,
      membership: { orgId: fresh.id, role: 'owner' as const },
      createdAt: dashboard.clock.now(),
    };
    await dashboard.ports.organisations.add(fresh, owner, dashboard.ports.apiKeys.mint().stored);
    const member = await dashboard.signIn('member', fresh.id);
    expect((await member.get('/dashboard/products')).body).toContain('No products yet');
  });

  test('explain the slug as what a shop sends, before and after the product exists', async () => {
    const dashboard = await openDashboard();
    const member = await dashboard.signIn('member');
    const { body } = await member.get('/dashboard/products/new');
    expect(body).toContain('Use it as the SKU in your shop, and its orders deliver this product.');
    const details = await member.get(`/dashboard/products/${dashboard.shop.product.id}/details`);
    expect(details.body).toContain('Orders with this SKU deliver this product.');
  });

  test('keep the typed values, with each problem beside its field', async ({ member }) => {
    const answer = await member.submit('/dashboard/products/new', '/dashboard/products/new', {
      name: 'Pads again',
      slug: 'pads',
      description: 'Soft.',
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('Another product has the slug “pads”');
    expect(answer.body).toContain('value="Pads again"');
    expect(answer.body).toContain('Soft.</textarea>');
    expect(answer.body).toMatch(
      /name="slug" value="pads"[^>]*aria-describedby="slug-note" aria-invalid="true"/,
    );
  });

  test('name every wrong field at once, and not a slug that was left out', async ({ dashboard, member }) => {
    const details = `/dashboard/products/${dashboard.shop.product.id}/details`;
    const wrongFields = async (path: string, fields: Readonly<Record<string, string>>) => {
      const { statusCode, body } = await member.submit(path, path, fields);
      expect(statusCode).toBe(400);
      return [...body.matchAll(/name="(\w+)"[^>]*aria-invalid="true"/g)].map(([, name]) => name);
    };
    const wrong = { name: ' ', slug: '***', description: 'd'.repeat(10_001) };
    expect(await wrongFields('/dashboard/products/new', wrong)).toEqual(['name', 'slug', 'description']);
    expect(await wrongFields(details, wrong)).toEqual(['name', 'slug', 'description']);
    expect(await wrongFields('/dashboard/products/new', { name: '', slug: '' })).toEqual(['name']);
    // Nothing of the name is left for a slug.
    expect(await wrongFields('/dashboard/products/new', { name: '…', slug: '' })).toEqual(['slug']);
  });

  test('ask for a slug where none can be made from the name, and do not blame one that nobody entered', async () => {
    const dashboard = await openDashboard();
    const member = await dashboard.signIn('member');
    const submit = (fields: Readonly<Record<string, string>>) =>
      member.submit('/dashboard/products/new', '/dashboard/products/new', fields);
    const { body } = await submit({ name: 'ピアノ', slug: '' });
    expect(body).toContain('No slug can be made from this name. Enter one, such as my-product.');
    expect(body).toContain('value="ピアノ"');
    expect((await submit({ name: 'ピアノ', slug: '…' })).body).toContain(
      'at least one letter (a to z) or digit',
    );
    expect((await submit({ name: 'Pads', slug: '' })).body).toContain('Another product has the slug “pads”');
  });

  test('change a product with the use case of the API', async ({ dashboard, member }) => {
    const details = `/dashboard/products/${dashboard.shop.product.id}/details`;
    const answer = await member.submit(details, details, {
      name: 'Warm Pads',
      slug: 'warm-pads',
      description: '',
    });
    expect(answer.statusCode).toBe(303);
    const changed = await dashboard.stores.products.find(dashboard.shop.orgId, dashboard.shop.product.id);
    expect(changed).toMatchObject({
      name: 'Warm Pads',
      slug: 'warm-pads',
      description: null,
    });
  });

  test('answer 404 for an unknown or malformed id', async ({ dashboard, member }) => {
    for (const id of ['nothing', dashboard.ports.ids.next(), '%00', "'"]) {
      const answer = await member.get(`/dashboard/products/${id}`);
      expect([id, answer.statusCode]).toEqual([id, 404]);
      expect(answer.body).toContain('There is nothing at this address');
    }
  });

  test('show names with HTML as text, everywhere', async ({ dashboard, member }) => {
    const created = await createProduct(dashboard.ports, dashboard.shop.orgId, {
      name: HOSTILE,
      slug: 'x',
      description: HOSTILE,
    });
    const id = created.kind === 'created' ? created.product.id : '';
    const pages = [
      await member.get('/dashboard/products'),
      await member.get(`/dashboard/products?q=${encodeURIComponent(HOSTILE)}`),
      await member.get(`/dashboard/products?q=${encodeURIComponent(`${HOSTILE}?`)}`),
      await member.get(`/dashboard/products/${id}`),
      await member.get(`/dashboard/products/${id}/details`),
      await member.post('/dashboard/products/new', { name: HOSTILE, [HOSTILE]: HOSTILE }),
      await member.submit('/dashboard/products/new', '/dashboard/products/new', { name: '', slug: HOSTILE }),
      await dashboard.signedInUser().post('/dashboard/sign-in', { email: HOSTILE }),
    ];
    for (const { body } of pages) {
      expect(body).not.toContain('<img src=x');
      expect(body).toMatch(/&(lt|#60);img/);
    }
  });
});

describe('the API key page', () => {
  test('sends the key only on request, and shows the new key after a replacement', async ({ dashboard }) => {
    const owner = await dashboard.signIn('owner');
    const stored = await dashboard.stores.users.findKey(owner.userId);
    const key = stored ? dashboard.ports.apiKeys.reveal(stored) : '';
    expect((await owner.get('/dashboard/settings/api-key')).body).not.toContain(`${key}<`);
    expect((await owner.get('/dashboard/settings/api-key?show')).body).toContain(`<code>${key}</code>`);
    const page = '/dashboard/settings/api-key';
    const answer = await owner.submit(page, `${page}/replace`, { name: 'default' });
    expect(answer.statusCode).toBe(303);
    const after = (await owner.get(answer.headers.location ?? '')).body;
    expect(after).toContain('You have a new API key');
    expect(after).not.toContain(`<code>${key}</code>`);
  });
});

describe('a new API key', () => {
  const NEW = '/dashboard/settings/api-key/new';

  test('has the name, end and scopes that were chosen, and is shown', async ({ dashboard, owner }) => {
    const answer = await owner.submit(NEW, NEW, {
      name: 'Night <export>',
      lifetime: '30',
      access: 'chosen',
      'scope-products': 'products:write',
      'scope-reports': 'reports:read',
      'scope-downloads': '',
    });
    const { body } = await owner.get(answer.headers.location ?? '');
    const [, made] = await dashboard.stores.userKeys.list(owner.userId);
    expect(made).toMatchObject({ name: 'Night <export>', scopes: ['products:write', 'reports:read'] });
    expect(body).toContain(`<code>${made && dashboard.ports.apiKeys.reveal(made)}</code>`);
    expect(body).toContain('Change Products and files, Read Reports');
    expect(body).not.toContain('<export>');
  });

  test.each([
    [{ name: '', access: 'all' }, 'name'],
    [{ name: 'default', access: 'all' }, 'another key of yours'],
    [{ name: 'x', access: 'all', lifetime: '31' }, 'one of the choices'],
    [{ name: 'x', access: 'chosen' }, 'choose at least one area'],
    [{ name: 'x', access: 'chosen', 'scope-products': 'all' }, 'scopes of the API'],
  ])('is not made of %j: the form says why, with what was typed', async (fields, problem) => {
    const dashboard = await openDashboard();
    const owner = await dashboard.signIn('owner');
    const answer = await owner.submit(NEW, NEW, { lifetime: '', ...fields } as Record<string, string>);
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain(problem);
    expect(await dashboard.stores.userKeys.list(owner.userId)).toHaveLength(1);
  });

  test('is revoked and replaced by its own user alone', async ({ dashboard, owner, member }) => {
    const page = '/dashboard/settings/api-key';
    await owner.submit(NEW, NEW, { name: 'Export', access: 'all', lifetime: '' });
    for (const path of [`${page}/replace`, `${page}/revoke`]) {
      expect((await member.submit(page, path, { name: 'Export' })).statusCode).toBe(404);
      expect((await member.submit(page, path)).statusCode).toBe(404);
    }
    for (const name of ['Export', 'default']) {
      expect((await owner.submit(page, `${page}/revoke`, { name })).statusCode).toBe(303);
    }
    expect((await owner.get(page)).body).toContain('You have no API key');
    expect(await dashboard.stores.userKeys.list(member.userId)).toHaveLength(1);
  });
});

describe('a failure', () => {
  test('of the database says what is safe, and gives the reference', async () => {
    const dashboard = await openDashboard((ports) => ({
      products: {
        ...ports.products,
        search: () => Promise.reject(Object.assign(new Error('gone'), { code: 'store-unavailable' })),
      },
    }));
    const member = await dashboard.signIn('member');
    const answer = await member.get('/dashboard/products');
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('5');
    expect(answer.body).toContain('The database did not answer');
    expect(answer.body).toMatch(/Reference <span class="mono">[0-9a-f]{16}</);
    const live = await member.get('/dashboard/products', { 'hx-request': 'true' });
    expect(live.headers['hx-retarget']).toBe('body');
    expect(answer.body).toMatch(/href=""[^>]*>Try again/);
  });

  test.each([
    ['file-store-away', 503, 'The file store did not answer'],
    ['contended', 503, 'We are busy right now'],
    ['too-many-uploads', 429, 'We are busy right now'],
    ['file-store-full', 507, 'There is no room left for files'],
    ['content-removing', 503, 'The same file is being removed'],
    ['file-too-large', 413, 'This is too large'],
  ])('of the kind %s is named, and not the database', async (code, status, title) => {
    const dashboard = await openDashboard((ports) => ({
      products: {
        ...ports.products,
        search: () => Promise.reject(Object.assign(new Error('gone'), { code })),
      },
    }));
    const answer = await (await dashboard.signIn('member')).get('/dashboard/products');
    expect([answer.statusCode, answer.body.includes(`<h1>${title}</h1>`)]).toEqual([status, true]);
    expect(answer.body.includes('Try again</a>')).toBe(answer.headers['retry-after'] !== undefined);
  });
});
