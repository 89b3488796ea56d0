import type { DeliveryStatus, LogCounts, LogEntry, LogSource } from '@handover/domain';

/** Which part of the log is looked at. It stands in the address of every page of it. */
export interface LogView {
  readonly text: string;
  readonly status: DeliveryStatus | null;
  readonly connectionId: string | null;
  /** The page of entries older than this one. */
  readonly before: string | null;
}

/** The list as it was found for a view. */
export interface FoundLog {
  readonly view: LogView;
  readonly entries: readonly LogEntry[];
  readonly isMore: boolean;
  readonly counts: LogCounts;
  readonly sources: readonly LogSource[];
  /** The entry that is open beside the list. */
  readonly openId: string | null;
  readonly now: Date;
}

export const STATUSES = [
  'pending',
  'error',
  'held',
  'success',
  'ignored',
] as const satisfies readonly DeliveryStatus[];

export function readView(query: URLSearchParams): LogView {
  const status = query.get('status');
  return {
    text: query.get('q') ?? '',
    status: STATUSES.find((known) => known === status) ?? null,
    connectionId: query.get('connection') || null,
    before: query.get('before') || null,
  };
}

/** The address of a view: the list, or an entry with the list beside it. */
export function addressOf(view: LogView, entryId: string | null = null): string {
  const query = new URLSearchParams(fieldsOf(view));
  const path = entryId === null ? '/dashboard/webhook-log' : `/dashboard/webhook-log/${entryId}`;
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Of a form that goes on with the view. */
export function fieldsOf({ text, status, connectionId, before }: LogView): [string, string][] {
  return [
    ...(text.trim() === '' ? [] : [['q', text] as [string, string]]),
    ...(status === null ? [] : [['status', status] as [string, string]]),
    ...(connectionId === null ? [] : [['connection', connectionId] as [string, string]]),
    ...(before === null ? [] : [['before', before] as [string, string]]),
  ];
}

/** What comes in now is seen on the first page alone. */
export function isLive({ before }: LogView): boolean {
  return before === null;
}
