import {
  correctAddress,
  createHmacTokens,
  openDownloadFile,
  openDownloadLink,
  readProgress,
  requestFreshLink,
  restoreLink,
  revokeLink,
} from '@handover/domain';
import { BY_JANA } from '@handover/testkit';
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

  it('is opened by tokens whose cryptography answers later', async () => {
    const link = await boughtLink();
    const tokens = createHmacTokens();
    const token = await tokens.seal(link.shop.orgId, link.linkId);
    const ports = { ...link, tokens };
    expect((await openDownloadLink(ports, token, { refresh: true })).kind).toBe('open');
    expect((await openDownloadFile(ports, token, PADS, { fetch: true })).kind).toBe('open');
    const forged = await createHmacTokens().seal(link.shop.orgId, link.linkId);
    expect((await openDownloadLink(ports, forged, { refresh: true })).kind).toBe('unknown');
    expect((await openDownloadFile(ports, forged, PADS, { fetch: true })).kind).toBe('unknown');
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

  it('that is revoked while it is being looked up opens no page and no file', async () => {
    for (const open of [
      (link: Awaited<ReturnType<typeof boughtLink>>) => openDownloadLink(link, link.token, { refresh: true }),
      (link: Awaited<ReturnType<typeof boughtLink>>) =>
        openDownloadFile(link, link.token, PADS, { fetch: true }),
    ]) {
      const link = await boughtLink();
      const find: typeof link.links.find = async (orgId, linkId) => {
        const page = await link.links.find(orgId, linkId);
        await revokeLink(link, orgId, linkId, BY_JANA);
        return page;
      };
      expect((await open({ ...link, links: { ...link.links, find } })).kind).toBe('revoked');
    }
  });

  it('is revoked with every link of its purchase, once, and so is restored', async () => {
    const link = await boughtLink();
    const orgId = link.shop.orgId;
    const revokedAt = link.clock.now();
    expect(await revokeLink(link, orgId, link.linkId, BY_JANA)).toMatchObject({ revokedAt });
    link.clock.advance(HOUR);
    expect(await revokeLink(link, orgId, link.linkId, BY_JANA)).toMatchObject({ revokedAt });
    expect(await requestFreshLink(link, link.token)).toMatchObject({ kind: 'revoked' });
    expect(await restoreLink(link, orgId, link.linkId, BY_JANA)).toMatchObject({
      revokedAt: null,
    });
    expect(await restoreLink(link, 'nonsense', link.linkId, BY_JANA)).toBe(null);
    const query = { subjectId: null, before: null, limit: 10 };
    const entries = await link.stores.activity.list(orgId, query);
    expect(entries.filter(({ actor }) => actor === 'jana@example.com').map(({ kind }) => kind)).toEqual([
      'link-restored',
      'link-revoked',
    ]);
  });

  it('that ended because its address was corrected is not restored with its purchase', async () => {
    const link = await boughtLink();
    const orgId = link.shop.orgId;
    const purchaseId = (await link.links.find(orgId, link.linkId))?.purchaseId ?? '';
    const corrected = await correctAddress(link, orgId, purchaseId, 'right@example.com', {
      by: BY_JANA,
      seen: 'ana@example.com',
    });
    expect(corrected.kind).toBe('corrected');
    link.clock.advance(HOUR);
    await revokeLink(link, orgId, link.linkId, BY_JANA);
    await restoreLink(link, orgId, link.linkId, BY_JANA);
    expect((await link.links.find(orgId, link.linkId))?.revokedAt).not.toBe(null);
    const record = await link.stores.purchases.show(orgId, purchaseId);
    expect(record?.links.map(({ revokedAt }) => revokedAt === null)).toEqual([true, false]);
  });

  it('is revoked also where that happens between looking and prolonging', async () => {
    const link = await boughtLink();
    const { shop, links, linkId } = link;
    const revokeFirst = () => revokeLink(link, shop.orgId, linkId, BY_JANA);
    const racing = {
      ...links,
      refresh: async (...of: Parameters<typeof links.refresh>) =>
        revokeFirst().then(() => links.refresh(...of)),
      prolong: async (...of: Parameters<typeof links.prolong>) =>
        revokeFirst().then(() => links.prolong(...of)),
    };
    const opened = await openDownloadLink({ ...link, links: racing }, link.token, { refresh: true });
    expect(opened).toMatchObject({ kind: 'revoked', page: { linkId } });
    await restoreLink(link, shop.orgId, linkId, BY_JANA);
    const file = await openDownloadFile({ ...link, links: racing }, link.token, PADS, { fetch: true });
    expect(file).toMatchObject({ kind: 'revoked', page: { linkId } });
    expect((await openDownloadFile(link, link.token, PADS, { fetch: true })).kind).toBe('revoked');
  });

  it('that is opened shows when it expires from now on', async () => {
    const link = await boughtLink();
    link.clock.advance(HOUR);
    expect(await openDownloadLink(link, link.token, { refresh: true })).toMatchObject({
      page: { expiresAt: new Date(link.clock.now().getTime() + 48 * HOUR) },
    });
  });

  it('gives no file while its product has no version', async () => {
    const link = await boughtLink();
    const find = async (...of: Parameters<typeof link.links.find>) => {
      const page = await link.links.find(...of);
      return page && { ...page, version: null };
    };
    const empty = { ...link, links: { ...link.links, find } };
    expect(await openDownloadFile(empty, link.token, PADS, { fetch: true })).toEqual({ kind: 'unknown' });
    expect(await readProgress(empty, link.token)).toMatchObject({ session: null, files: [], whole: false });
  });

  it('of a shop in the name of another is unknown', async () => {
    const link = await boughtLink();
    const foreign = link.tokens.seal('another', link.linkId);
    expect(await openDownloadLink(link, foreign, { refresh: true })).toEqual({ kind: 'unknown' });
    expect(await openDownloadFile(link, foreign, PADS, { fetch: true })).toEqual({ kind: 'unknown' });
  });

  it('that we never gave out is unknown', async () => {
    const link = await boughtLink();
    expect(await openDownloadLink(link, 'junk', { refresh: true })).toEqual({ kind: 'unknown' });
    expect(await openDownloadLink(link, `${link.token}x`, { refresh: true })).toEqual({ kind: 'unknown' });
  });
});
