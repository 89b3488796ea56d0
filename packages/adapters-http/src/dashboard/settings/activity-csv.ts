import type { ActivityEntry } from '@handover/domain';
import { asText, writeCsv } from '../../streaming/write-csv.ts';

const COLUMNS = [
  'date',
  'summary',
  'person',
  'via',
  'viaDetail',
  'kind',
  'subjectId',
  'activityId',
  'day',
] as const;

type Cells = Readonly<Record<(typeof COLUMNS)[number], string>>;

/** The log as a table for auditors: exact UTC times, and the UTC day, which spreadsheets read as a date. */
export function writeActivityCsv(entries: AsyncIterable<ActivityEntry>): AsyncIterable<Uint8Array> {
  return writeCsv(COLUMNS, toCells(entries));
}

async function* toCells(entries: AsyncIterable<ActivityEntry>): AsyncIterable<Cells> {
  for await (const { id, at, kind, subjectId, summary, actor, via, viaDetail } of entries) {
    yield {
      date: at.toISOString(),
      summary: asText(summary),
      person: asText(actor ?? ''),
      via,
      viaDetail: asText(viaDetail ?? ''),
      kind,
      subjectId,
      activityId: id,
      day: at.toISOString().slice(0, 10),
    };
  }
}
