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

/** The log as a table for auditors: exact UTC times, and the UTC day, which spreadsheets read as a date. */
export function writeActivityCsv(entries: AsyncIterable<ActivityEntry>): AsyncIterable<Uint8Array> {
  return writeCsv(COLUMNS, entries, ({ id, at, kind, subjectId, summary, actor, via, viaDetail }) => ({
    date: at.toISOString(),
    summary: asText(summary),
    person: asText(actor ?? ''),
    via,
    viaDetail: asText(viaDetail ?? ''),
    kind,
    subjectId,
    activityId: id,
    day: at.toISOString().slice(0, 10),
  }));
}
