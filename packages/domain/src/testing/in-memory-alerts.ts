import { AUTOMATIC } from '../activity/activity-origin.ts';
import type { Alert } from '../alerts/alert.ts';
import type { OwedAlertMail } from '../alerts/alert-mail.ts';
import { ALERTS_IN_A_MAIL } from '../alerts/alert-mail.ts';
import { type FormerAlertMail, latestRipe, ripeAt, whenToMail } from '../alerts/when-to-mail.ts';
import type { Alerts } from '../ports.ts';
import {
  claimIdOf,
  endClaim,
  heldUntil,
  holdsClaim,
  releaseClaim,
  takeClaim,
  UNCLAIMED,
} from './in-memory-claims.ts';
import { judgeCollected } from './in-memory-collected-alerts.ts';
import type { AlertMailRow, AlertRow, Memory } from './memory.ts';
import { queueJobs } from './memory.ts';

/** Keeps an alert, unless it is known; it joins the mail that collects, or begins one. */
export function raiseAlert(memory: Memory, { details, ...alert }: Alert): void {
  const row = { ...alert, ...details, mailId: '' };
  if (memory.alerts.has(keyOf(row))) return;
  const collecting = [...memory.alertMails.values()].find(
    (mail) => mail.orgId === alert.orgId && mail.status === 'collecting',
  );
  const mailId = collecting?.id ?? beginMail(memory, row);
  memory.alerts.set(keyOf(row), { ...row, mailId });
}

export function createInMemoryAlerts(memory: Memory): Alerts {
  return {
    claim: async (orgId, mailId, now) => {
      const mail = memory.alertMails.get(mailId);
      if (mail?.orgId !== orgId || mail.status === 'sent' || mail.status === 'refused')
        return { kind: 'settled' };
      const held = heldUntil(mail, now);
      if (held) return { kind: 'not-now', at: held };
      const due = mail.status === 'owed' ? mail.nextTryAt : closeMail(memory, mail, now);
      if (due === null) return { kind: 'settled' };
      if (due > now) {
        memory.alertMails.set(mailId, { ...mail, nextTryAt: due });
        return { kind: 'not-now', at: due };
      }
      const closedAt = mail.closedAt ?? now;
      const claimed = {
        ...mail,
        ...takeClaim(mail, now),
        status: 'owed',
        closedAt,
        nextTryAt: due,
      } as const;
      memory.alertMails.set(mailId, claimed);
      return { kind: 'claimed', claimId: claimIdOf(claimed), mail: describeMail(memory, claimed) };
    },
    settle: async (orgId, mailId, claimId, outcome) => {
      const mail = memory.alertMails.get(mailId);
      if (mail?.orgId !== orgId || !holdsClaim(mail, claimId)) return 'not-held';
      const attempts = mail.attempts + (outcome.kind === 'sent' || outcome.kind === 'postponed' ? 0 : 1);
      if (outcome.kind === 'try-again' || outcome.kind === 'postponed') {
        const { nextTryAt } = outcome;
        const closedAt = outcome.kind === 'postponed' ? nextTryAt : mail.closedAt;
        memory.alertMails.set(mailId, { ...mail, ...endClaim(mail), attempts, closedAt, nextTryAt });
        const job = { kind: 'send-alerts', orgId, mailId, startAfter: nextTryAt } as const;
        queueJobs(memory, [job]);
        return 'settled';
      }
      const settledAt = outcome.at;
      memory.alertMails.set(mailId, {
        ...mail,
        status: outcome.kind,
        attempts,
        settledAt,
        ...endClaim(mail),
      });
      if (outcome.kind !== 'refused') return 'settled';
      const { at, reason } = outcome;
      const action = { kind: 'alert-given-up', subjectId: mailId, summary: reason } as const;
      const entry = { id: mailId, at, ...action, ...AUTOMATIC };
      memory.activity.set(mailId, { ...entry, orgId });
      return 'settled';
    },
    release: async (orgId, mailId, claimId) => {
      if (memory.alertMails.get(mailId)?.orgId === orgId) releaseClaim(memory.alertMails, mailId, claimId);
    },
  };
}

/** When the mail is due: now if it is closed by this, later if it collects still; null when nothing is left of it. */
function closeMail(memory: Memory, mail: AlertMailRow, now: Date): Date | null {
  const collected = alertsOf(memory, mail.id);
  const due = whenToMail(findFormer(memory, mail.orgId), collected[0]?.at ?? now, now);
  if (due > now) return due;
  const ripe = collected.filter(({ at }) => at <= latestRipe(now));
  const younger = collected.slice(ripe.length);
  const { told, dropped } = judgeCollected(memory, ripe);
  for (const row of dropped) memory.alerts.delete(keyOf(row));
  for (const row of told) memory.alerts.set(keyOf(row), row);
  const [next] = younger;
  if (told.length === 0) {
    if (next) return ripeAt(next.at);
    memory.alertMails.delete(mail.id);
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
  while (memory.alertMails.has(id)) id = followingId(id);
  const startAfter = ripeAt(at);
  memory.alertMails.set(id, {
    id,
    orgId,
    status: 'collecting',
    attempts: 0,
    nextTryAt: startAfter,
    closedAt: null,
    settledAt: null,
    ...UNCLAIMED,
  });
  const job = { kind: 'send-alerts', orgId, mailId: id, startAfter } as const;
  queueJobs(memory, [job]);
  return id;
}

function followingId(id: string): string {
  const tail = Number.parseInt(id.slice(-12), 16) + 1;
  return `${id.slice(0, -12)}${tail.toString(16).padStart(12, '0').slice(-12)}`;
}

function keyOf({ orgId, about, cause }: Pick<Alert, 'orgId' | 'about' | 'cause'>): string {
  return `${orgId} ${about} ${cause}`;
}

/** Oldest first; those of one moment in an order that stays the same. */
function alertsOf({ alerts }: Memory, mailId: string): readonly AlertRow[] {
  return [...alerts.values()]
    .filter((alert) => alert.mailId === mailId)
    .sort((a, b) => a.at.getTime() - b.at.getTime() || (keyOf(a) < keyOf(b) ? -1 : 1));
}

function findFormer(memory: Memory, orgId: string): FormerAlertMail | null {
  const [former] = [...memory.alertMails.values()]
    .filter((mail) => mail.orgId === orgId && mail.closedAt !== null)
    .sort((a, b) => (b.closedAt?.getTime() ?? 0) - (a.closedAt?.getTime() ?? 0));
  if (!former || former.status === 'collecting') return null;
  return { status: former.status, nextTryAt: former.nextTryAt, settledAt: former.settledAt };
}

function describeMail(memory: Memory, mail: AlertMailRow & { readonly closedAt: Date }): OwedAlertMail {
  const organisation = memory.organisations.get(mail.orgId);
  const owners = [...memory.users.values()]
    .filter(({ membership }) => membership?.orgId === mail.orgId && membership.role === 'owner')
    .map(({ email }) => email)
    .sort();
  const alerts = alertsOf(memory, mail.id);
  return {
    id: mail.id,
    orgId: mail.orgId,
    organisationName: organisation?.name ?? '',
    to: organisation?.alertEmail ? [organisation.alertEmail] : owners,
    alerts: alerts
      .slice(0, ALERTS_IN_A_MAIL)
      .map(({ orgId: _orgId, about: _about, subjectId: _subject, mailId: _mailId, ...alert }) => alert),
    more: Math.max(0, alerts.length - ALERTS_IN_A_MAIL),
    owedSince: mail.closedAt,
    attempts: mail.attempts,
  };
}
