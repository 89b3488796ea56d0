import { at, type Table, tableOf } from './table.ts';

/** Older counts may be deleted. */
const COUNTED_MS = 12 * 60 * 60 * 1000;

/** Mails, and what was mailed before. */
export const MAIL_TABLES: Readonly<Record<string, Table>> = {
  // Alerts without their ids, because a mail that follows another has an id made by its store. Also without the
  // time since which they were pending, and when they were due, also for the first try of a closed mail: if the answer to
  // the close was lost, PostgreSQL closed it at the first try.
  // An expired claim counts as none: its time may still be stored, or removed by a later claim that finds nothing to send.
  'outgoing e-mails': tableOf('outgoing_emails', ({ emails }, now) =>
    [...emails.values()].map(({ id, nextTryAt, pendingSince, claimedUntil, ...row }) => ({
      ...row,
      claimedUntil: claimedUntil && claimedUntil > now ? claimedUntil : null,
      id: row.kind === 'alert' ? null : id,
      nextTryAt: row.kind === 'alert' && (row.status !== 'pending' || isJustClosed(row)) ? null : nextTryAt,
      pendingSince: row.kind === 'alert' ? null : pendingSince,
      sentTo: row.sentContent?.customer.email,
      sentUntil: row.sentContent?.worksUntil,
      sentLinks: row.sentContent?.items.map(({ linkId }) => linkId).join(','),
    })),
  ).compare(
    [
      'orgId',
      'id',
      'kind',
      'language',
      'subject',
      'status',
      'attempts',
      'postponed',
      'nextTryAt',
      'pendingSince',
      'claimedUntil',
      'sentAt',
      'lastAnswer',
      'lastAnswerAt',
      'sentTo',
      'sentUntil',
      'sentLinks',
    ],
    {
      id: `case when kind <> 'alert' then id end`,
      nextTryAt: at(`case
        when kind <> 'alert' or (status = 'pending' and not (subject is null and attempts = 0 and not postponed))
        then next_try_at
      end`),
      pendingSince: at(`case when kind <> 'alert' then pending_since end`),
      claimedUntil: at('case when claimed_until > $1 then claimed_until end'),
      sentTo: `sent_content -> 'customer' ->> 'email'`,
      sentUntil: at(`(sent_content ->> 'worksUntil')::timestamptz`),
      sentLinks: `(
        select string_agg(item.value ->> 'linkId', ',' order by item.place)
        from jsonb_array_elements(sent_content -> 'items') with ordinality as item (value, place)
      )`,
    },
  ),
  alerts: tableOf('alerts', ({ alerts }) => alerts.values()).compare([
    'orgId',
    'about',
    'cause',
    'deliveryId',
  ]),
  'counts of mails': tableOf(
    `mail_counts where sent > 0 and hour > $1::timestamptz - make_interval(secs => ${COUNTED_MS / 1000})`,
    ({ mailCounts }, now) =>
      [...mailCounts]
        .map(([key, sent]) => ({ orgId: key.split(' ')[0], hour: key.split(' ')[1], sent }))
        .filter(({ hour, sent }) => sent > 0 && Number(hour) > now.getTime() - COUNTED_MS),
  ).compare(['orgId', 'hour', 'sent']),
};

/** An alert mail that was not tried yet since it was closed. */
function isJustClosed({
  subject,
  attempts,
  postponed,
}: {
  readonly subject: string | null;
  readonly attempts: number;
  readonly postponed: boolean;
}): boolean {
  return subject === null && attempts === 0 && !postponed;
}
