import {
  bringBackWithEntry,
  dismissalReason,
  dismissWithEntry,
  readDismissedAt,
  readShownAt,
} from '../actions/dismissal-actions.ts';
import type { AuditPorts } from '../http-ports.ts';
import type { Answer, DashboardRequest } from './dashboard-route.ts';
import { CHANGED, dismissOnePage } from './parts/dismissal.ts';
import type { Toast } from './parts/toast.ts';

/** A single failure that may need nothing. */
export interface OneFailure {
  /** What its dismissal names. */
  readonly subject: string;
  readonly failedAt: Date;
  /** The address of its page; below it are the forms. */
  readonly path: string;
  readonly name: string;
  /** What happened to it. */
  readonly why: string | null;
  /** See `dismissOnePage`. */
  readonly until: string | null;
  /** Ends the sentence that says that it needs nothing any more. */
  readonly except: string;
  /** What a toast says if it is no failure any more; null: it still is one. */
  readonly resolved: Toast | null;
  /** What its entries in the activity log are about; left out: the organisation. */
  readonly subjectId?: string;
}

type Typed = Partial<Pick<Parameters<typeof dismissOnePage>[0], 'reason' | 'problem' | 'hasChanged'>>;

export function askToDismiss(
  { path, name, why, until }: OneFailure,
  { csrfToken, now }: DashboardRequest,
  typed: Typed = {},
): Answer {
  return dismissOnePage({ path, name, why, until, shownAt: now, ...typed, csrfToken });
}

/** Dismisses what the form showed, or asks again: without a reason, or if it failed again since. */
export async function dismissOne(
  ports: AuditPorts,
  context: DashboardRequest,
  form: URLSearchParams,
  failure: OneFailure,
): Promise<Answer> {
  const { reason, problem } = dismissalReason(form.get('reason'));
  if (problem !== null) return askToDismiss(failure, context, { reason, problem });
  const { user, now } = context;
  const { subject, failedAt, path, name, except, subjectId } = failure;
  if (failedAt > readShownAt(form, now)) return askToDismiss(failure, context, { reason, hasChanged: true });
  const dismissal = { subject, reason, seenAt: failedAt, seenCount: 1, by: user.email, at: now };
  const dismissed = await dismissWithEntry(ports, context, [dismissal], name, subjectId);
  if (dismissed.length === 0) return { kind: 'redirect', to: path, toast: CHANGED };
  const undo = { action: `${path}/bring-back`, fields: { dismissed: now.toISOString() } };
  const sentence = `${name} needs nothing any more${except}.`;
  return { kind: 'redirect', to: path, toast: { title: 'Dismissed', sentence, undo } };
}

export async function bringBackOne(
  ports: AuditPorts,
  context: DashboardRequest,
  form: URLSearchParams,
  { subject, path, name, resolved, subjectId }: OneFailure,
): Promise<Answer> {
  if (resolved) return { kind: 'redirect', to: path, toast: resolved };
  const back = await bringBackWithEntry(ports, context, [subject], name, readDismissedAt(form), subjectId);
  if (back.length === 0) return { kind: 'redirect', to: path, toast: CHANGED };
  const sentence = `${name} is listed under “Needs you” again.`;
  return { kind: 'redirect', to: path, toast: { title: 'Brought back', sentence } };
}
