import type { Readable } from 'node:stream';
import type { DownloadSessions, ReportPeriod } from '@handover/domain';
import { startStream } from '../streaming/start-stream.ts';
import { writeDownloadsCsv } from './downloads-csv.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The downloads report as a file whose name states its period. Its first rows are read before this
 * resolves. `finish` makes the CSV what is sent.
 */
export async function openDownloadsFile(
  { sessions }: { readonly sessions: DownloadSessions },
  orgId: string,
  period: ReportPeriod,
  finish: (csv: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array> = (csv) => csv,
): Promise<{ readonly name: string; readonly contentType: string; readonly content: Readable }> {
  const content = await startStream(finish(writeDownloadsCsv(sessions.list(orgId, period))));
  const last = new Date(period.until.getTime() - DAY_MS);
  const name = `downloads_${day(period.from)}_${day(last)}.csv`;
  return { name, contentType: 'text/csv; charset=utf-8', content };
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}
