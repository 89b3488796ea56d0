import { dueAt, type FormerAlertMail, latestDue, whenToMail } from '../email/when-to-mail.ts';
import {
  ALERTS_IN_A_MAIL,
  type Alert,
  hasKeyEnded,
  MAX_ALERT_RECIPIENTS,
  type PendingAlertMail,
} from '../model/alert.ts';
import { normalizeEmail } from '../model/email-address.ts';
import { evaluateCollected, isOver, wasDismissed } from './collected-alerts.ts';
import { freshEmail } from './fresh-rows.ts';
import { COLLECTING, type Memory, queueEmail, rowsWhere } from './memory.ts';
import type { AlertRow, EmailRow } from './rows.ts';

/**
 * Stores an alert, unless its key has not ended. It joins the collecting mail, or starts one. An alert that was dismissed
 * while its mail collects is replaced: the mail reports the newer one, and so the dismissal does not end the key.
 */
export function raiseAlert(memory: Memory, { details, ...alert }: Alert): void {
  const row = { ...alert, ...details, mailId: '' };
  const told = memory.alerts.get(keyOf(row));
  if (told) {
    const isDismissed = wasDismissed(memory, told, row);
    const { mailId } = told;
    if (isDismissed && memory.emails.get(mailId)?.subject === COLLECTING) {
      memory.alerts.set(keyOf(row), { ...row, mailId });
      return;
    }
    const isOverNow = isDismissed || isOver(memory, told, row);
    if (!hasKeyEnded({ mailedAt: mailedAt(memory, told), isOver: isOverNow }, row.at)) return;
  }
  const collecting = [...memory.emails.values()].find(
    (email) => email.orgId === alert.orgId && email.subject === COLLECTING,
  );
  const mailId = collecting?.id ?? beginMail(memory, row);
  memory.alerts.set(keyOf(row), { ...row, mailId });
}

function mailedAt({ emails }: Memory, { mailId }: AlertRow): Date | null {
  const mail = emails.get(mailId);
  return mail && mail.status !== 'pending' ? mail.lastAnswerAt : null;
}

/** Closes a collecting mail if it is due. */
export function prepareAlerts(
  memory: Memory,
  email: EmailRow,
  now: Date,
): PendingAlertMail | { readonly kind: 'not-pending' } | { readonly kind: 'not-now'; readonly at: Date } {
  if (email.subject !== COLLECTING) return describeMail(memory, email);
  const due = closeMail(memory, email, now);
  if (due === null) return { kind: 'not-pending' };
  if (due > now) {
    memory.emails.set(email.id, { ...email, nextTryAt: due });
    return { kind: 'not-now', at: due };
  }
  const closed = { ...email, subject: null, pendingSince: now, nextTryAt: now };
  memory.emails.set(email.id, closed);
  return describeMail(memory, closed);
}

/** Returns when the mail is due: now if this call closed it, later if it still collects. Null: no alert is left in it. */
function closeMail(memory: Memory, mail: EmailRow, now: Date): Date | null {
  const collected = alertsOf(memory, mail.id);
  const due = whenToMail(findFormer(memory, mail.orgId), collected[0]?.at ?? now, now);
  if (due > now) return due;
  const dueAlerts = collected.filter(({ at }) => at <= latestDue(now));
  const younger = collected.slice(dueAlerts.length);
  const { told, dropped } = evaluateCollected(memory, dueAlerts);
  for (const row of dropped) memory.alerts.delete(keyOf(row));
  for (const row of told) memory.alerts.set(keyOf(row), row);
  const [next] = younger;
  if (told.length === 0) {
    if (next) return dueAt(next.at);
    memory.emails.delete(mail.id);
    return null;
  }
  if (next) {
    const mailId = beginMail(memory, next);
    for (const row of younger) memory.alerts.set(keyOf(row), { ...row, mailId });
  }
  return now;
}

function beginMail(memory: Memory, { orgId, subjectId, at }: AlertRow): string {
  let id = subjectId;
  while (memory.emails.has(id)) id = followingId(id);
  const fresh = freshEmail('alert', { id, orgId, createdAt: at });
  const due = dueAt(at);
  const email = { ...fresh, subject: COLLECTING, pendingSince: due, nextTryAt: due };
  memory.emails.set(id, email);
  queueEmail(memory, email, email.nextTryAt);
  return id;
}

/** An id far from those that tests count up. */
function followingId(id: string): string {
  const tail = Number.parseInt(id.slice(-12), 16) + 2 ** 40;
  return `${id.slice(0, -12)}${tail.toString(16).padStart(12, '0').slice(-12)}`;
}

function keyOf({ orgId, about, cause }: Pick<Alert, 'orgId' | 'about' | 'cause'>): string {
  return `${orgId} ${about} ${cause}`;
}

/** The alerts of a mail, oldest first. Those of one moment are always in the same order. */
function alertsOf({ alerts }: Memory, mailId: string): readonly AlertRow[] {
  return [...rowsWhere(alerts, { mailId })].sort(
    (a, b) => a.at.getTime() - b.at.getTime() || (keyOf(a) < keyOf(b) ? -1 : 1),
  );
}

function findFormer({ emails }: Memory, orgId: string): FormerAlertMail | null {
  const [former] = rowsWhere(emails, { orgId, kind: 'alert' })
    .filter((email) => email.subject !== COLLECTING)
    .sort((a, b) => b.pendingSince.getTime() - a.pendingSince.getTime());
  if (!former) return null;
  const { status, nextTryAt, lastAnswerAt } = former;
  return { status, nextTryAt, completedAt: status === 'pending' ? null : lastAnswerAt };
}

function describeMail(memory: Memory, mail: EmailRow): PendingAlertMail {
  const organisation = memory.organisations.get(mail.orgId);
  const owners = [...memory.users.values()]
    .filter(({ membership }) => membership?.orgId === mail.orgId && membership.role === 'owner')
    .map(({ email }) => email)
    .sort((a, b) => (normalizeEmail(a) < normalizeEmail(b) ? -1 : 1))
    .slice(0, MAX_ALERT_RECIPIENTS);
  const alerts = alertsOf(memory, mail.id);
  return {
    kind: 'alert',
    id: mail.id,
    orgId: mail.orgId,
    organisationName: organisation?.name ?? '',
    to: organisation?.alertEmail ? [organisation.alertEmail] : owners,
    alerts: alerts
      .slice(0, ALERTS_IN_A_MAIL)
      .map(({ orgId: _orgId, about: _about, subjectId: _subject, mailId: _mailId, ...alert }) => alert),
    more: Math.max(0, alerts.length - ALERTS_IN_A_MAIL),
    pendingSince: mail.pendingSince,
    attempts: mail.attempts,
  };
}
