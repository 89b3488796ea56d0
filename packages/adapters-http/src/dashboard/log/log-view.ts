import type { DeliveryStatus, ErrorCause, LogCounts, LogEntry, LogSource, Platforms } from '@handover/domain';

/** The filter of the log, part of the address of each of its pages. */
export interface LogView {
  readonly text: string;
  readonly status: DeliveryStatus | null;
  /** Of errors only. */
  readonly cause: ErrorCause | null;
  readonly connectionId: string | null;
  /** Shows entries older than this one. */
  readonly before: string | null;
}

/** The list of entries for a view. */
export interface FoundLog {
  readonly view: LogView;
  readonly entries: readonly LogEntry[];
  readonly isMore: boolean;
  readonly counts: LogCounts;
  readonly sources: readonly LogSource[];
  /** The entry that is open beside the list. */
  readonly openId: string | null;
  readonly now: Date;
  readonly platforms: Platforms;
}

export const EVERYTHING: LogView = { text: '', status: null, cause: null, connectionId: null, before: null };

export const STATUSES = [
  'pending',
  'error',
  'held',
  'success',
  'ignored',
] as const satisfies readonly DeliveryStatus[];

/** What a list of errors can be narrowed to. */
export const CAUSES: readonly { readonly value: ErrorCause; readonly words: string }[] = [
  { value: 'no-address', words: 'No address' },
  { value: 'unreadable', words: 'Unreadable' },
];

export function readView(query: URLSearchParams): LogView {
  const status = STATUSES.find((known) => known === query.get('status')) ?? null;
  const cause = CAUSES.find(({ value }) => value === query.get('cause'))?.value ?? null;
  return {
    text: query.get('q') ?? '',
    status,
    cause: status === 'error' ? cause : null,
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

/** The page that delivers the orders of a view again. */
export function deliverAddressOf(view: LogView): string {
  return addressOf(view).replace('/webhook-log', '/webhook-log/deliver');
}

/** Hidden fields for a form that keeps the view. */
export function fieldsOf({ text, status, cause, connectionId, before }: LogView): [string, string][] {
  return Object.entries({
    ...(text.trim() && { q: text }),
    ...(status && { status }),
    ...(cause && { cause }),
    ...(connectionId && { connection: connectionId }),
    ...(before && { before }),
  });
}

/** New entries appear on the first page only. */
export function isLive({ before }: LogView): boolean {
  return before === null;
}
