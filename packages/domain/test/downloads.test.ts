import {
  classifyClient,
  classifyDownload,
  completeDownload,
  INTERRUPTED_AFTER_MS,
  readDownloadsReport,
  readProgress,
  revokeLink,
} from '@handover/domain';
import { BY_JANA, openShop } from '@handover/testkit';
import { describe, expect, it } from 'vitest';
import { boughtLink } from './bought-link.ts';

const HOUR = 60 * 60 * 1000;

type Sold = Awaited<ReturnType<typeof boughtLink>>;

async function send(
  { sessions, shop, linkId, clock, ids }: Sold,
  name: string,
  size: number,
  bytes: number,
  version = '1.0',
) {
  const request = { sessionId: ids.next(), joining: null, client: 'browser', at: clock.now() } as const;
  const sessionId = (await sessions.begin(shop.orgId, linkId, request)) ?? '';
  const ranges = [{ start: 0, end: bytes }];
  await sessions.addSent(shop.orgId, sessionId, { version, name, size, ranges }, clock.now());
  return sessionId;
}

function complete(sold: Sold, changes: { readonly orgId?: string; readonly token?: string } = {}) {
  return completeDownload(sold, { orgId: sold.shop.orgId, token: sold.token, sessionId: null, ...changes });
}

describe('the progress of a download', () => {
  it('lists every file that was bought, with nothing sent before the first byte', async () => {
    const sold = await boughtLink();
    expect(await readProgress(sold, sold.token)).toEqual({
      kind: 'progress',
      session: null,
      files: [{ version: '1.0', name: 'pads.zip', size: 5, sent: 0, whole: false }],
      whole: false,
    });
  });

  it('is whole once every file that was begun is, those of other versions behind those that were bought', async () => {
    const sold = await boughtLink();
    await send(sold, 'pads.zip', 5, 5);
    await send(sold, 'extra.zip', 9, 3);
    const sent = await readProgress(sold, sold.token);
    expect(sent).toMatchObject({
      files: [
        { name: 'pads.zip', sent: 5, whole: true },
        { name: 'extra.zip', sent: 3, whole: false },
      ],
      whole: false,
    });
    await send(sold, 'extra.zip', 9, 9);
    expect(await readProgress(sold, sold.token)).toMatchObject({ whole: true });
  });

  it('of a file is not that of its namesake in another version', async () => {
    const sold = await boughtLink();
    await send(sold, 'pads.zip', 9, 9, '0.9');
    expect(await readProgress(sold, sold.token)).toMatchObject({
      files: [
        { version: '1.0', name: 'pads.zip', size: 5, sent: 0, whole: false },
        { version: '0.9', name: 'pads.zip', size: 9, sent: 9, whole: true },
      ],
    });
  });

  it('is told of an expired link, and of no revoked or unknown one; asking prolongs nothing', async () => {
    const sold = await boughtLink();
    sold.clock.advance(47 * HOUR);
    expect(await readProgress(sold, sold.token)).toMatchObject({ kind: 'progress' });
    sold.clock.advance(HOUR);
    expect((await sold.links.find(sold.shop.orgId, sold.linkId))?.expiresAt).toEqual(sold.clock.now());
    expect(await readProgress(sold, sold.token)).toMatchObject({ kind: 'progress' });
    await revokeLink(sold, sold.shop.orgId, sold.linkId, BY_JANA);
    expect(await readProgress(sold, sold.token)).toEqual({ kind: 'revoked' });
    expect(await readProgress(sold, 'junk')).toEqual({ kind: 'unknown' });
    expect(await readProgress(sold, sold.tokens.seal(sold.shop.orgId, 'other'))).toEqual({ kind: 'unknown' });
  });
});

describe('a download that is said to be complete', () => {
  it('is noted with who downloaded what, also when the link expired meanwhile', async () => {
    const sold = await boughtLink();
    const sessionId = await send(sold, 'pads.zip', 5, 5);
    sold.clock.advance(72 * HOUR);
    const usedAt = sold.clock.now();
    expect(await complete(sold)).toEqual({ kind: 'completed', sessionId, usedAt });
    const entries = await sold.activity.list(sold.shop.orgId, {
      subjectId: sold.linkId,
      before: null,
      limit: 10,
    });
    expect(entries).toMatchObject([
      {
        kind: 'download-completed',
        subjectId: sold.linkId,
        summary: 'Pads 1.0 downloaded by Ana Lima.',
        at: usedAt,
      },
    ]);
  });

  it('needs the token of a link of that organisation', async () => {
    const sold = await boughtLink();
    const elsewhere = await openShop(sold, 'Other');
    expect(await complete(sold, { orgId: elsewhere.orgId })).toEqual({ kind: 'unknown' });
    expect(await complete(sold, { token: 'junk' })).toEqual({ kind: 'unknown' });
    const foreign = sold.tokens.seal(elsewhere.orgId, sold.linkId);
    expect(await complete(sold, { orgId: elsewhere.orgId, token: foreign })).toEqual({ kind: 'unknown' });
    expect((await sold.links.find(sold.shop.orgId, sold.linkId))?.usedAt).toBe(null);
  });
});

describe('a program that downloads', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'browser'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5', 'browser'],
    ['curl/8.14.1', 'companion'],
    ['Wget/1.25.0', 'companion'],
    ['LumenDownloader/2.0', 'companion'],
    ['', 'companion'],
    [undefined, 'companion'],
  ])('that calls itself %j is a %s', (userAgent, client) => {
    expect(classifyClient(userAgent)).toBe(client);
  });
});

describe('the state of a download', () => {
  const NOW = new Date('2026-03-05T09:00:00.000Z');
  const before = (milliseconds: number) => new Date(NOW.getTime() - milliseconds);
  const begun = { completedAt: null, filesBegun: 2, filesWhole: 1, lastByteAt: NOW };

  it('is interrupted once no byte has left for a minute', () => {
    expect(INTERRUPTED_AFTER_MS).toBe(60_000);
    expect(classifyDownload({ ...begun, lastByteAt: before(59_999) }, NOW)).toBe('running');
    expect(classifyDownload({ ...begun, lastByteAt: before(60_000) }, NOW)).toBe('interrupted');
  });

  it('is started while no file was begun, sent once each that was begun is whole', () => {
    expect(classifyDownload({ ...begun, filesBegun: 0, filesWhole: 0 }, NOW)).toBe('started');
    expect(classifyDownload({ ...begun, filesWhole: 2, lastByteAt: before(90_000) }, NOW)).toBe('sent');
  });

  it('is completed when its downloader says so, whatever was seen of it', () => {
    expect(classifyDownload({ ...begun, completedAt: NOW }, NOW)).toBe('completed');
    expect(classifyDownload({ ...begun, completedAt: NOW, filesBegun: 0 }, NOW)).toBe('completed');
  });
});

describe('the report of downloads', () => {
  it('is of at most 366 days, of which it holds each', async () => {
    const sold = await boughtLink();
    const read = (from: string) => readDownloadsReport(sold, sold.shop.orgId, { from, to: '2026-03-01' });
    const year = await read('2025-03-01');
    expect(year.kind === 'report' && [year.days.length, year.days[0]?.day, year.days.at(-1)?.day]).toEqual([
      366,
      '2025-03-01',
      '2026-03-01',
    ]);
    expect(await read('2025-02-28')).toEqual({
      kind: 'invalid',
      field: 'from',
      reason: 'too-long',
      problem: 'must leave at most 366 days up to the last',
    });
  });
});
