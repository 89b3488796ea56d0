import { readDownloadsReport } from '@handover/domain';
import { openShop } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';
import { beginDownload, completeDownload, sell, sendBytes } from './shop-actions.ts';

const DAY = 24 * 60 * 60 * 1000;

/** Downloads by day, as the reports page shows them. */
export function downloadsReportContract({ describe, it, expect }: StoresRunner): void {
  describe('the report of downloads', () => {
    it('counts sessions on the day they began, their bytes, and each buyer once', async (opened) => {
      const ana = await sell(opened);
      const again = await sell(opened, { customerId: ana.customerId, newCustomer: null });
      const bea = await sell(opened, { newCustomer: { name: 'Bea', email: 'bea@example.com' } });
      const first = dayOf(opened);
      await download(opened, ana.linkId, 10);
      await download(opened, again.linkId, 4_000_000_000);
      await opened.clock.advance(2 * DAY);
      const last = dayOf(opened);
      await download(opened, bea.linkId, 7, { completed: true });
      const report = await read(opened, { from: first, to: last });
      expect(report).toMatchObject({
        kind: 'report',
        days: [
          { day: first, downloads: 2, finished: 0, bytes: 4_000_000_010 },
          { downloads: 0, finished: 0, bytes: 0 },
          { day: last, downloads: 1, finished: 1, bytes: 7 },
        ],
        total: { downloads: 3, finished: 1, bytes: 4_000_000_017, buyers: 2 },
      });
      expect(await read(opened, { from: last, to: null })).toMatchObject({
        days: [{ day: last, downloads: 1 }],
        total: { downloads: 1, buyers: 1 },
      });
    });

    it('has thirty days by default, also those without a download', async (opened) => {
      const report = await read(opened, {});
      if (report.kind !== 'report') throw new Error(report.kind);
      expect(report.days).toHaveLength(30);
      expect(report.days.at(-1)).toEqual({ day: dayOf(opened), downloads: 0, finished: 0, bytes: 0 });
      expect(report.total).toEqual({ downloads: 0, finished: 0, bytes: 0, buyers: 0 });
    });

    it('names the day that is none, is too late, or leaves too many', async (opened) => {
      expect(await read(opened, { to: '2026-02-30' })).toMatchObject({ kind: 'invalid', field: 'to' });
      expect(await read(opened, { from: '2026-02-02', to: '2026-02-01' })).toMatchObject({
        kind: 'invalid',
        field: 'from',
      });
      expect(await read(opened, { from: '2025-01-01', to: '2026-01-02' })).toMatchObject({
        kind: 'invalid',
        field: 'from',
      });
      const leapYear = await read(opened, { from: '2024-01-01', to: '2024-12-31' });
      expect(leapYear.kind === 'report' && leapYear.days.length).toBe(366);
    });

    it('is of one organisation only', async (opened) => {
      await download(opened, (await sell(opened)).linkId, 10);
      const other = await openShop(opened, 'Other');
      for (const orgId of [other.orgId, 'nonsense']) {
        const report = await readDownloadsReport(opened, orgId, {
          from: null,
          to: null,
        });
        expect(report).toMatchObject({ total: { downloads: 0, buyers: 0 } });
      }
    });
  });
}

function dayOf({ clock }: OpenedShop): string {
  return clock.now().toISOString().slice(0, 10);
}

function read(
  opened: OpenedShop,
  { from = null, to = null }: { readonly from?: string | null; readonly to?: string | null },
) {
  return readDownloadsReport(opened, opened.shop.orgId, { from, to });
}

async function download(
  opened: OpenedShop,
  linkId: string,
  bytes: number,
  { completed = false } = {},
): Promise<void> {
  const sessionId = await beginDownload(opened, linkId);
  await sendBytes(opened, sessionId, [[0, bytes]], { size: bytes });
  if (completed) await completeDownload(opened, linkId, sessionId);
}
