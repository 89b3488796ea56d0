import { at, type Table } from './table.ts';

/** Older counts may be deleted. */
const COUNTED_MS = 12 * 60 * 60 * 1000;

/** What is mailed, and what was told. */
export const MAIL_TABLES: Readonly<Record<string, Table>> = {
  'outgoing e-mails': {
    from: 'outgoing_emails',
    // Alerts without their ids, because a mail that follows another has an id made by its store. Also without the
    // time since which they were pending, and when they were due: if the answer to the close was lost, PostgreSQL
    // closed it at the first try.
    columns: [
      'org_id',
      `case when kind <> 'alert' then id end`,
      'kind',
      'language',
      'subject',
      'status',
      'attempts',
      'postponed',
      at(`case when kind <> 'alert' or status = 'pending' then next_try_at end`),
      at(`case when kind <> 'alert' then pending_since end`),
      at('claimed_until'),
      at('sent_at'),
      'last_answer',
      at('last_answer_at'),
    ],
    inMemory: ({ emails }) =>
      [...emails.values()].map((row) => [
        row.orgId,
        row.kind === 'alert' ? null : row.id,
        row.kind,
        row.language,
        row.subject,
        row.status,
        row.attempts,
        row.postponed,
        row.kind === 'alert' && row.status !== 'pending' ? null : row.nextTryAt,
        row.kind === 'alert' ? null : row.pendingSince,
        row.claimedUntil,
        row.sentAt,
        row.lastAnswer,
        row.lastAnswerAt,
      ]),
  },
  alerts: {
    from: 'alerts',
    columns: ['org_id', 'about', 'cause', 'delivery_id'],
    inMemory: ({ alerts }) =>
      [...alerts.values()].map((row) => [row.orgId, row.about, row.cause, row.deliveryId]),
  },
  'counts of mails': {
    from: `mail_counts where sent > 0 and hour > $1::timestamptz - make_interval(secs => ${COUNTED_MS / 1000})`,
    columns: ['org_id', at('hour'), 'sent'],
    inMemory: ({ mailCounts }, now) =>
      [...mailCounts]
        .map(([key, sent]) => [...key.split(' '), sent] as const)
        .filter(([, hour, sent]) => Number(sent) > 0 && Number(hour) > now.getTime() - COUNTED_MS),
  },
};
