import { correctAddress, type DownloadLinks, revokeLink } from '@handover/domain';
import { BY_JANA } from '@handover/testkit';
import { describe, expect, test } from 'vitest';
import { sellPads } from './sell-pads.ts';

const HOUR = 60 * 60 * 1000;

async function open() {
  const sale = await sellPads();
  const address = `/my/${sale.libraryToken}`;
  return { sale, address };
}

function neverWithdrawn(links: DownloadLinks): DownloadLinks {
  const find: DownloadLinks['find'] = async (...of) => {
    const page = await links.find(...of);
    return page && { ...page, revokedAt: null };
  };
  return { ...links, find, prolong: async () => true };
}

describe('the library', () => {
  test('offers each file of everything bought, with its size and version', async () => {
    const { sale, address } = await open();
    const answer = await sale.app.inject(address);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain('<h3><bdi>Pads</bdi></h3>');
    expect(answer.body.replace(/<[^>]*>/g, '')).toContain('1.0 · Order #1001 · Bought on 2 March 2026');
    expect(answer.body).toContain('5 bytes');
    const [, href = ''] = /href="(\/d\/[^"]*pads\.zip)"/.exec(answer.body) ?? [];
    expect((await sale.app.inject(href)).body).toBe('hello');
  });

  test('keeps the device signed in as long as its link works, with a cookie for /my alone', async () => {
    const { sale, address } = await open();
    const cookie = String((await sale.app.inject(address)).headers['set-cookie']);
    expect(cookie).toBe(
      `handover-library=${sale.libraryToken}; Max-Age=172800; Path=/my; HttpOnly; SameSite=Lax`,
    );
    const headers = { cookie: cookie.split(';')[0] ?? '' };
    for (let opened = 0; opened < 3; opened += 1) {
      sale.clock.advance(47 * HOUR);
      const answer = await sale.app.inject({ url: '/my', headers });
      expect([answer.statusCode, answer.headers.location]).toEqual([303, address]);
      expect((await sale.app.inject(address)).statusCode).toBe(200);
    }
    sale.clock.advance(48 * HOUR);
    const ended = await sale.app.inject(address);
    expect([ended.statusCode, String(ended.headers['set-cookie'])]).toEqual([
      410,
      'handover-library=; Max-Age=0; Path=/my; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax',
    ]);
    expect(ended.body).toContain('action="/my"');
  });

  test('is forgotten by the device when its link is gone, as that of a deleted test purchase', async () => {
    const sale = await sellPads(undefined, ({ links }) => ({ links: { ...links, find: async () => null } }));
    const url = `/my/${sale.libraryToken}`;
    const open = async (token: string) => {
      const answer = await sale.app.inject({ url, headers: { cookie: `handover-library=${token}` } });
      return [answer.statusCode, answer.headers['set-cookie']];
    };
    expect(await open(sale.libraryToken)).toEqual([
      404,
      expect.stringContaining('handover-library=; Max-Age=0'),
    ]);
    expect(await open('another')).toEqual([404, undefined]);
  });

  test('is opened by its own token alone, and a link’s token opens only that link', async () => {
    const { sale, address } = await open();
    for (const url of [`/my/${sale.token}`, `/d/${sale.libraryToken}`, `${address}x`]) {
      expect([url, (await sale.app.inject(url)).statusCode]).toEqual([url, 404]);
    }
  });

  test('changes nothing when a scanner sends HEAD', async () => {
    const { sale, address } = await open();
    sale.clock.advance(47 * HOUR);
    const answer = await sale.app.inject({ method: 'HEAD', url: address });
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([200, undefined]);
    sale.clock.advance(2 * HOUR);
    expect((await sale.app.inject(address)).statusCode).toBe(410);
  });

  test('closes at once when its link is withdrawn', async () => {
    const { sale, address } = await open();
    const named = sale.ports.tokens.open(sale.token);
    await revokeLink(sale.ports, named?.orgId ?? '', named?.linkId ?? '', BY_JANA);
    expect((await sale.app.inject(address)).statusCode).toBe(410);
  });

  test('shows what another buyer has to nobody, also once its purchase is theirs and its link works again', async () => {
    const sale = await sellPads(undefined, ({ links }) => ({ links: neverWithdrawn(links) }));
    const { ports, shop } = sale;
    const { orgId, linkId } = ports.tokens.open(sale.token) ?? { orgId: '', linkId: '' };
    const page = await ports.links.find(orgId, linkId);
    const by = { actor: 'jana@example.com', via: 'dashboard' } as const;
    const corrected = await correctAddress(ports, shop.orgId, page?.purchaseId ?? '', 'eva@example.com', {
      by,
      seen: 'ana@example.com',
    });
    expect(corrected.kind).toBe('corrected');
    expect((await ports.links.find(orgId, linkId))?.customer.email).toBe('eva@example.com');
    const answer = await sale.app.inject(`/my/${sale.libraryToken}`);
    expect([answer.statusCode, answer.body.includes('eva@example.com')]).toEqual([410, false]);
  });

  test('has its cookie where the browser sees its page, below the path of the site', async () => {
    const sale = await sellPads(undefined, undefined, { siteUrl: 'https://shop.test/get' });
    const opened = await sale.app.inject(`/my/${sale.libraryToken}`);
    expect(String(opened.headers['set-cookie'])).toContain('; Path=/get/my; ');
    const left = await sale.app.inject({ method: 'POST', url: '/my/sign-out' });
    expect(String(left.headers['set-cookie'])).toContain('Max-Age=0; Path=/get/my; ');
  });

  test('is left by a button', async () => {
    const { sale } = await open();
    const answer = await sale.app.inject({ method: 'POST', url: '/my/sign-out' });
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/my']);
    expect(String(answer.headers['set-cookie'])).toContain('Max-Age=0; Path=/my');
  });
});
