import { type AuditScope, logAction } from '../audit/run-audited-action.ts';
import type { ActivityLog, Throttles } from '../ports/access.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import { throttle } from './throttle.ts';

/** The result of a test mail. `answer`: the mail server's words, or why no server was asked. */
export interface TestMailResult {
  /** `not-sent`: no mail server answered. */
  readonly kind: 'accepted' | 'refused' | 'not-sent';
  readonly answer: string;
}

/**
 * Sends a test mail to the user's own address and logs the answer of the mail server. The mail is not queued, because the
 * user waits for the answer.
 */
export async function sendTestMail<Result extends TestMailResult>(
  ports: {
    readonly clock: Clock;
    readonly ids: Ids;
    readonly activity: Pick<ActivityLog, 'add'>;
    readonly throttles: Pick<Throttles, 'count'>;
    readonly send: (email: string) => Promise<Result>;
  },
  scope: AuditScope,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<Result | { readonly kind: 'too-often'; readonly until: Date }> {
  const until = await throttle(ports, 'testMailsPerUser', id);
  if (until) return { kind: 'too-often', until };
  const result = await ports.send(email);
  const summary = `Test mail to ${email}: ${OUTCOMES[result.kind]}: “${result.answer}”`;
  await logAction(ports, scope, { kind: 'test-mail-sent', subjectId: id, summary });
  return result;
}

const OUTCOMES = {
  accepted: 'accepted by the mail server',
  refused: 'refused by the mail server',
  'not-sent': 'not sent',
} as const satisfies Readonly<Record<TestMailResult['kind'], string>>;
