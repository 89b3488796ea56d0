import type { Alert } from '../alerts/alert.ts';
import type { OwedAlertMail } from '../alerts/alert-mail.ts';
import { ALERTS_IN_A_MAIL } from '../alerts/alert-mail.ts';
import { type FormerAlertMail, whenToMail } from '../alerts/when-to-mail.ts';
import type { Alerts } from '../ports.ts';
import type { AlertMailRow, Memory } from './memory.ts';
import { jobKey } from './memory.ts';

/** How soon to ask again for a mail that someone else holds. */
const CLAIM_PAUSE_MS = 15_000;

/** Keeps an alert, unless it is known; it joins the mail that collects, or begins one. */
export function raiseAlert(memory: Memory, alert: Alert): void {
  const { orgId, about, cause, subjectId, details } = alert;
  const key = `${orgId} ${about} ${cause}`;
  if (memory.alerts.has(key)) return;
  const collecting = [...memory.alertMails.values()].find(
    (mail) => mail.orgId === orgId && mail.status === 'collecting',
  );
  memory.alerts.set(key, { ...details, orgId, cause, mailId: collecting?.id ?? subjectId });
  if (collecting) return;
  memory.alertMails.set(subjectId, {
    id: subjectId,
    orgId,
    status: 'collecting',
    attempts: 0,
    nextTryAt: details.at,
    closedAt: null,
    settledAt: null,
    claimed: false,
  });
  const job = { kind: 'send-alerts', orgId, mailId: subjectId, startAfter: details.at } as const;
  memory.jobs.set(jobKey(job), job);
}

export function createInMemoryAlerts(memory: Memory): Alerts {
  return {
    claim: async (orgId, mailId, now) => {
      const mail = memory.alertMails.get(mailId);
      if (mail?.orgId !== orgId || mail.status === 'sent' || mail.status === 'refused')
        return { kind: 'settled' };
      if (mail.claimed) return { kind: 'not-now', at: new Date(now.getTime() + CLAIM_PAUSE_MS) };
      const due = mail.status === 'owed' ? mail.nextTryAt : whenToMail(findFormer(memory, orgId), now);
      if (due > now) {
        memory.alertMails.set(mailId, { ...mail, nextTryAt: due });
        return { kind: 'not-now', at: due };
      }
      const closedAt = mail.closedAt ?? now;
      memory.alertMails.set(mailId, { ...mail, status: 'owed', closedAt, nextTryAt: now, claimed: true });
      return { kind: 'claimed', mail: describeMail(memory, { ...mail, closedAt }) };
    },
    settle: async (orgId, mailId, outcome) => {
      const mail = memory.alertMails.get(mailId);
      if (mail?.orgId !== orgId || mail.status !== 'owed') return;
      const attempts = mail.attempts + (outcome.kind === 'sent' ? 0 : 1);
      if (outcome.kind === 'try-again') {
        const { nextTryAt } = outcome;
        memory.alertMails.set(mailId, { ...mail, attempts, nextTryAt, claimed: false });
        const job = { kind: 'send-alerts', orgId, mailId, startAfter: nextTryAt } as const;
        memory.jobs.set(jobKey(job), job);
        return;
      }
      const settledAt = outcome.at;
      memory.alertMails.set(mailId, { ...mail, status: outcome.kind, attempts, settledAt, claimed: false });
      if (outcome.kind !== 'refused') return;
      const { at, reason } = outcome;
      const entry = { id: mailId, at, kind: 'alert-given-up', subjectId: mailId, summary: reason } as const;
      memory.activity.set(mailId, { ...entry, orgId });
    },
  };
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
  const alerts = [...memory.alerts.values()]
    .filter(({ mailId }) => mailId === mail.id)
    .sort((a, b) => a.at.getTime() - b.at.getTime());
  return {
    id: mail.id,
    orgId: mail.orgId,
    organisationName: organisation?.name ?? '',
    to: organisation?.alertEmail ? [organisation.alertEmail] : owners,
    alerts: alerts.slice(0, ALERTS_IN_A_MAIL).map(({ orgId: _orgId, mailId: _mailId, ...alert }) => alert),
    more: Math.max(0, alerts.length - ALERTS_IN_A_MAIL),
    owedSince: mail.closedAt,
    attempts: mail.attempts,
  };
}
