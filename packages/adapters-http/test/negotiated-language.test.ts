import type { LANGUAGES } from '@handover/domain';
import { describe, expect, test } from 'vitest';
import { readRequestedLanguage } from '../src/requests/negotiate-language.ts';
import { sellPads } from './sell-pads.ts';

describe('the language of a page', () => {
  const read = async (
    header: string | undefined,
    ofShop: (typeof LANGUAGES)[number] = 'en',
    path = (token: string) => `/d/${token}`,
  ) => {
    const sale = await sellPads((page) => ({
      ...page,
      organisation: { ...page.organisation, language: ofShop },
    }));
    const headers = header === undefined ? {} : { 'accept-language': header };
    const answer = await sale.app.inject({ url: path(sale.token), headers });
    const lang = /<html lang="([^"]*)">/.exec(answer.body)?.[1];
    expect(answer.headers['content-language']).toBe(lang);
    expect(String(answer.headers.vary).toLowerCase()).toContain('accept-language');
    return lang;
  };

  test.each([
    ['de', 'de'],
    ['de-AT, de;q=0.9, en;q=0.8', 'de'],
    ['en;q=0.5, ja;q=0.9', 'ja'],
    ['zh-CN, zh;q=0.9, fr;q=0.1', 'fr'],
    ['pt-PT', 'pt-BR'],
    ['de;q=0, en-US', 'en-GB'],
    ['es-419, *;q=0.5', 'es'],
  ])('is what the browser prefers: %s', async (header, lang) => {
    expect(await read(header)).toBe(lang);
  });

  test('is one of the first fifty that a header names, which can have thousands', async () => {
    const others = (count: number) => 'zh,'.repeat(count);
    expect(await read(`${others(49)}de`)).toBe('de');
    expect(await read(`${others(5000)}de`)).toBe('en-GB');
    expect(readRequestedLanguage({ headers: { 'accept-language': `${others(5000)}de` } })).toBe(null);
  });

  test.each([[undefined], [''], ['*'], ['zh'], ['fr;q=0.3, *;q=0.9'], ['nonsense;;;q=,']])(
    'is the shop’s where the browser has no preference among ours: %s',
    async (header) => {
      expect(await read(header, 'ja')).toBe('ja');
    },
  );

  test('is negotiated on every page', async () => {
    for (const path of ['/', '/my', '/nowhere', '/d/unknown', '/d/unknown/files/1/x']) {
      expect([path, await read('fr', 'en', () => path)]).toEqual([path, 'fr']);
    }
  });

  test('goes with the request for new links', () => {
    const requested = (header?: string) => readRequestedLanguage({ headers: { 'accept-language': header } });
    expect(requested('ja, en;q=0.5')).toBe('ja');
    expect(requested('zh, *')).toBe(null);
    expect(requested()).toBe(null);
  });
});

test('a page and the mail that it asks for are in one language', async () => {
  const sale = await sellPads();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'fr' };
  await sale.app.inject({ method: 'POST', url: '/my', headers, payload: 'email=ana@example.com' });
  const job = (await sale.stores.queuedJobs()).find(
    (queued) => queued.kind === 'send-email' && queued.emailKind === 'links',
  );
  if (job?.kind !== 'send-email') throw new Error('No mail was queued.');
  const claim = await sale.stores.outgoingEmails.claim(job.orgId, job.emailId, sale.clock.now(), () =>
    sale.ports.ids.next(),
  );
  expect(claim).toMatchObject({ kind: 'claimed', email: { language: 'fr' } });
});
