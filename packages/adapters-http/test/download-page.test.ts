import { describe, expect, test } from 'vitest';
import { openTestShop } from './open-test-shop.ts';
import { sellPads } from './sell-pads.ts';

const HOUR = 60 * 60 * 1000;

describe('the download page', () => {
  test('names shop, product, version and buyer, and offers every file with its size and hash', async () => {
    const sale = await sellPads();
    const answer = await sale.app.inject(`/d/${sale.token}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    const text = readText(answer.body);
    expect(text).toContain('Lumen Audio');
    expect(text).toContain('Version 1.0, for Ana Lima');
    expect(text).toContain('pads.zip');
    expect(text).toContain('5 bytes');
    expect(text).toContain('2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824');
    expect(answer.body).toContain(`href="/d/${sale.token}/files/1.0/pads.zip"`);
    expect(answer.body).toMatch(/<h1><bdi>Pads<\/bdi><\/h1>/);
    expect(answer.body).toContain('mailto:');
  });

  test('says how long the link works, in words', async () => {
    const sale = await sellPads();
    const { body } = await sale.app.inject(`/d/${sale.token}`);
    expect(readText(body)).toContain(
      'This link works for another 48 hours, until Wednesday 4 March at 09:00 UTC. Every time you open it, the 48 hours start again.',
    );
  });

  test('restarts the 48 hours when it is opened, but not on HEAD', async () => {
    const sale = await sellPads();
    sale.clock.advance(47 * HOUR);
    expect((await sale.app.inject({ method: 'HEAD', url: `/d/${sale.token}` })).statusCode).toBe(200);
    sale.clock.advance(2 * HOUR);
    expect((await sale.app.inject({ method: 'HEAD', url: `/d/${sale.token}` })).statusCode).toBe(410);

    const again = await sellPads();
    for (let opened = 0; opened < 5; opened += 1) {
      again.clock.advance(47 * HOUR);
      expect((await again.app.inject(`/d/${again.token}`)).statusCode).toBe(200);
    }
  });

  test('lists several files with equal weight, after the main button, which is for all of them', async () => {
    const files = ['a.zip', 'b.zip', 'manual.pdf'].map((name) => ({
      name,
      size: 3_100_000_000,
      sha256: 'ab'.repeat(32),
    }));
    const sale = await sellPads((page) => ({ ...page, version: { label: '2.1', files } }));
    const { body } = await sale.app.inject(`/d/${sale.token}`);
    for (const { name } of files) expect(body).toContain(`/${name}"`);
    expect(readText(body)).toContain('3.1 GB');
    expect(body.match(/<a class="[^"]*button[^"]*"/g)).toEqual(Array(3).fill('<a class="button"'));
    expect(body.match(/<[^>]*button-primary[^>]*>/g)).toEqual([
      '<button class="button button-primary button-wide" type="button">',
    ]);
  });

  test.each([null, { label: '1.0', files: [] }])('says so while there are no files (%j)', async (version) => {
    const sale = await sellPads((page) => ({ ...page, version }));
    const answer = await sale.app.inject(`/d/${sale.token}`);
    expect(answer.statusCode).toBe(200);
    expect(readText(answer.body)).toContain('The files are not ready yet.');
  });

  test('runs only our own script, sends no referrer, and is not cached', async () => {
    const sale = await sellPads();
    const { headers, body } = await sale.app.inject(`/d/${sale.token}`);
    expect(body).not.toMatch(/<script(?! type="module" src="\/assets\/)|\son\w+=|style="/i);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    expect(headers['content-security-policy']).not.toMatch(/unsafe/);
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['x-robots-tag']).toContain('noindex');
    expect(headers['cache-control']).toContain('no-store');
  });

  test('has a language, one heading, landmarks and a title', async () => {
    const sale = await sellPads();
    const { body } = await sale.app.inject(`/d/${sale.token}`);
    expect(body).toContain('<html lang="en-GB">');
    expect(body.match(/<h1/g)).toHaveLength(1);
    expect(body).toContain('<main>');
    expect(body).toContain('<header');
    expect(body).toContain('<title>Pads · Lumen Audio</title>');
  });
});

describe('a link that no longer works', () => {
  test('answers 410 when it has expired: the purchase stays, and the page names a contact', async () => {
    const sale = await sellPads();
    sale.clock.advance(48 * HOUR);
    const answer = await sale.app.inject(`/d/${sale.token}`);
    expect(answer.statusCode).toBe(410);
    const text = readText(answer.body);
    expect(text).toContain('This link has expired');
    expect(text).toContain('What you bought, Pads, is still yours');
    expect(text).toContain('mention order #1001');
    expect(decodeHtml(answer.body)).toMatch(/href="mailto:owner-[^"]+\?subject=Order%20%231001"/);
    expect(answer.body.match(/<button/g)).toHaveLength(1);
    expect(answer.headers['content-security-policy']).toContain("script-src 'self';");
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
  });

  test('answers 410 when it was revoked', async () => {
    const sale = await sellPads((page) => ({ ...page, revokedAt: new Date(0) }));
    const answer = await sale.app.inject(`/d/${sale.token}`);
    expect(answer.statusCode).toBe(410);
    expect(readText(answer.body)).toContain('This link was withdrawn');
    expect(readText(answer.body)).toContain('None of its links works any more');
    expect(answer.headers['content-security-policy']).not.toContain('script-src');
  });

  test('names a newer link only where there is one that works', async () => {
    const sale = await sellPads((page) => ({ ...page, revokedAt: new Date(0), isReplaced: true }));
    const text = readText((await sale.app.inject(`/d/${sale.token}`)).body);
    expect(text).toContain('If a newer one was mailed to you, try that one.');
    expect(text).not.toContain('None of its links');
  });

  test('may lack an order number', async () => {
    const sale = await sellPads((page) => ({ ...page, expiresAt: new Date(0), orderNumber: null }));
    expect(readText((await sale.app.inject(`/d/${sale.token}`)).body)).toContain(
      'mention the address you ordered with',
    );
  });

  test('answers 404 for unknown, truncated and malformed links, and for every other address', async () => {
    const sale = await sellPads();
    const urls = [
      `/d/${sale.token}x`,
      `/d/${sale.token.slice(0, -1)}`,
      '/d/x',
      '/d/',
      '/d',
      '/nope',
      '/dev/mail',
      '/d/%00',
    ];
    for (const url of urls) {
      const answer = await sale.app.inject(url);
      expect(answer.statusCode, url).toBe(404);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(readText(answer.body)).toContain('There is nothing at this address');
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    }
  });

  test('answers 404 for other methods, whatever their body', async () => {
    const sale = await sellPads();
    const headers = { 'content-type': 'application/json' };
    const answer = await sale.app.inject({ method: 'POST', url: `/d/${sale.token}`, headers, payload: '{' });
    expect(answer.statusCode).toBe(404);
  });

  test('answers 404 for an address that cannot be decoded, without repeating it', async () => {
    const { app, log } = await openTestShop();
    const answer = await app.inject('/d/secret%E0%A4%A');
    expect(answer.statusCode).toBe(404);
    expect(answer.body + JSON.stringify(log.lines)).not.toContain('secret');
    // A mail program that mangles a link sends its reader to a page, as any wrong link does.
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.body).toBe((await app.inject('/d')).body);
    const below = (await openTestShop(undefined, { siteUrl: 'http://shop.test/get' })).app;
    expect((await below.inject('/d/%ff')).body).toBe((await below.inject('/d')).body);
    for (const url of ['/api/products/%ff', '/webhooks/%ff/cart-a']) {
      expect((await app.inject(url)).json()).toEqual({ error: expect.any(String) });
    }
  });

  test('answers 503 with Retry-After while the database is unavailable, and 500 for our own errors', async () => {
    const away = await sellPads(undefined, (ports) => ({
      links: { ...ports.links, find: () => new Promise(() => undefined) },
      database: { answers: async () => false },
    }));
    const later = await away.app.inject(`/d/${away.token}`);
    expect(later.statusCode).toBe(503);
    expect(Number(later.headers['retry-after'])).toBeGreaterThan(0);
    expect(readText(later.body)).toContain('Nothing is lost');
    // To the same address.
    expect(later.body).toContain('<a class="button button-primary button-wide" href="">Try again</a>');

    const broken = await sellPads(undefined, (ports) => ({
      links: { ...ports.links, find: async () => Promise.reject(new Error('SELECT secret')) },
    }));
    const answer = await broken.app.inject(`/d/${broken.token}`);
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain('SELECT');
    expect(answer.body).toContain(String(broken.log.requests()[0]?.reqId));
  });
});

describe('the assets of the pages', () => {
  test('come from this site, have a content hash in their name, and may be cached for ever', async () => {
    const sale = await sellPads();
    const { body } = await sale.app.inject(`/d/${sale.token}`);
    const assets = [...body.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(new Set(assets).size).toBe(4);
    const address = assets.find((path) => path.endsWith('.css')) ?? '';
    const stylesheet = await sale.app.inject(address);
    const fonts = [...stylesheet.body.matchAll(/url\('([^']+)'\)/g)].map(
      ([, path = '']) => new URL(path, `http://site${address}`).pathname,
    );
    // Two files of each of the two fonts.
    expect(fonts).toHaveLength(4);
    for (const path of [...assets, ...fonts]) {
      const asset = await sale.app.inject(path);
      expect(asset.statusCode, path).toBe(200);
      expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    }
    expect(stylesheet.body).toContain('font-display: swap');
    expect(stylesheet.body).toContain('prefers-color-scheme: dark');
    expect((await sale.app.inject('/assets/other.000000000000.css')).statusCode).toBe(404);
  });

  test('are those of this version for a page of another one, which no cache may keep', async () => {
    const { app } = await sellPads();
    for (const [name, type] of [
      ['handover.000000000000.css', 'text/css; charset=utf-8'],
      ['tus.000000000000.js', 'text/javascript; charset=utf-8'],
    ]) {
      const asset = await app.inject(`/assets/${name}`);
      expect([asset.statusCode, asset.headers['content-type'], asset.headers['cache-control']]).toEqual([
        200,
        type,
        'no-store',
      ]);
    }
  });
});

/** What a reader sees, near enough. */
function readText(body: string): string {
  return decodeHtml(body.replace(/<[^>]+>/g, '')).replace(/\s+/g, ' ');
}

function decodeHtml(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}
