import { type Dismissal, MAX_DISMISSAL_REASON, REASON, runAuditedAction } from '@handover/domain';
import type { AuditPorts } from '../http-ports.ts';
import type { ActionScope } from './product-actions.ts';

/**
 * Dismisses all of these for one reason. `named`: what the entry calls them. `subjectId`: what it is about. Answers with the
 * subjects that were dismissed: not those of which somebody saw more.
 */
export function dismissWithEntry(
  ports: AuditPorts,
  { orgId, by }: ActionScope,
  dismissals: readonly Dismissal[],
  named: string,
  subjectId: string = orgId,
): Promise<readonly string[]> {
  const summary = `Dismissed: ${named}.${REASON}${dismissals[0]?.reason}`;
  return runAuditedAction(
    ports,
    { orgId, by },
    (within) => within.dismissals.dismiss(orgId, dismissals),
    (dismissed) => (dismissed.length === 0 ? null : { kind: 'action-item-dismissed', subjectId, summary }),
  );
}

/** Brings these back, or as an Undo those that were dismissed at that time. Answers with the ones that were dismissed. */
export function bringBackWithEntry(
  ports: AuditPorts,
  { orgId, by }: ActionScope,
  subjects: readonly string[],
  named: string,
  dismissedAt: Date | null = null,
  subjectId: string = orgId,
): Promise<readonly string[]> {
  const summary = `Brought back: ${named}.`;
  return runAuditedAction(
    ports,
    { orgId, by },
    ({ dismissals }) => dismissals.bringBack(orgId, subjects, dismissedAt),
    (found) => (found.length === 0 ? null : { kind: 'action-item-restored', subjectId, summary }),
  );
}

/**
 * Reads when an Undo's dismissal was made; null: the form is not an Undo. At a time that cannot be read nothing was
 * dismissed: else such an Undo would reach all.
 */
export function readDismissedAt(form: URLSearchParams): Date | null {
  const text = form.get('dismissed');
  if (text === null) return null;
  const time = Date.parse(text);
  return time >= 0 ? new Date(time) : new Date(0);
}

/** When the form that dismisses one thing was shown, as it says itself; never later than now. */
export function readShownAt(form: URLSearchParams, now: Date): Date {
  const time = Date.parse(form.get('shown') ?? '');
  return time >= 0 && time < now.getTime() ? new Date(time) : now;
}

/** Reads why something needs nothing. `problem`: what is wrong with it, in a sentence. */
export function dismissalReason(typed: string | null): {
  readonly reason: string;
  readonly problem: string | null;
} {
  const reason = (typed ?? '').trim();
  if (reason === '') return { reason, problem: 'It must not be empty.' };
  const isLong = reason.length > MAX_DISMISSAL_REASON;
  return { reason, problem: isLong ? `It must have at most ${MAX_DISMISSAL_REASON} characters.` : null };
}
