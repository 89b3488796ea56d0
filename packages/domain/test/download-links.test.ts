import { openDownloadFile, openDownloadLink } from '@handover/domain';
import { describe, expect, it } from 'vitest';
import { boughtLink } from './bought-link.ts';

const HOUR = 60 * 60 * 1000;
const PADS = { version: '1.0', name: 'pads.zip' };

describe('a download link', () => {
  it('works for 48 hours, and each opening starts them again', async () => {
    const link = await boughtLink();
    link.clock.advance(47 * HOUR);
    expect((await openDownloadLink(link, link.token, { refresh: true })).kind).toBe('open');
    link.clock.advance(47 * HOUR);
    expect((await openDownloadLink(link, link.token, { refresh: true })).kind).toBe('open');
    link.clock.advance(48 * HOUR);
    expect((await openDownloadLink(link, link.token, { refresh: true })).kind).toBe('expired');
  });

  it('is not prolonged by merely looking', async () => {
    const link = await boughtLink();
    link.clock.advance(47 * HOUR);
    expect((await openDownloadLink(link, link.token, { refresh: false })).kind).toBe('open');
    expect((await openDownloadFile(link, link.token, PADS, { fetch: false })).kind).toBe('open');
    link.clock.advance(HOUR);
    expect((await openDownloadLink(link, link.token, { refresh: false })).kind).toBe('expired');
  });

  it('is prolonged by fetching a file', async () => {
    const link = await boughtLink();
    link.clock.advance(47 * HOUR);
    const file = await openDownloadFile(link, link.token, PADS, { fetch: true });
    expect(file).toMatchObject({ kind: 'open', file: { version: '1.0', name: 'pads.zip', size: 5 } });
    link.clock.advance(47 * HOUR);
    expect((await openDownloadLink(link, link.token, { refresh: false })).kind).toBe('open');
  });

  it('gives no file once expired, and none of a name it does not have', async () => {
    const link = await boughtLink();
    for (const other of [{ name: 'other.zip' }, { version: '1' }]) {
      const opened = await openDownloadFile(link, link.token, { ...PADS, ...other }, { fetch: true });
      expect(opened).toEqual({ kind: 'unknown' });
    }
    link.clock.advance(48 * HOUR);
    expect((await openDownloadFile(link, link.token, PADS, { fetch: true })).kind).toBe('expired');
  });

  it('that we never gave out is unknown', async () => {
    const link = await boughtLink();
    expect(await openDownloadLink(link, 'junk', { refresh: true })).toEqual({ kind: 'unknown' });
    expect(await openDownloadLink(link, `${link.token}x`, { refresh: true })).toEqual({ kind: 'unknown' });
  });
});
