import { randomUUID } from 'node:crypto';
import type { MailAnswer } from '@handover/domain';
import type SmtpPool from 'nodemailer/lib/smtp-pool';
import SmtpTransport from 'nodemailer/lib/smtp-transport';
import { createPool, describeServer, handOver, TIMEOUTS } from './create-smtp-mailer.ts';
import type { OutgoingMessage } from './format-message.ts';
import { readSender } from './sender.ts';
import { readFailure, secretsOf } from './server-reply.ts';

/** What the mail server answered to a trial. */
export type MailProbe =
  /** It greeted us, and we could sign in. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly at: 'connection' | 'sign-in'; readonly answer: string }
  /** What it said to the test mail. */
  | { readonly kind: 'mailed'; readonly to: string; readonly answer: MailAnswer };

/** Connects to the mail server and signs in; with a recipient, it hands over a test mail as well. */
export async function probeMailServer(
  { url, from }: { readonly url: string; readonly from: string },
  to: string | null,
  timeouts = { ...TIMEOUTS, silence: 15_000 },
): Promise<MailProbe> {
  const pool = createPool({ url, connections: 1 }, timeouts);
  const secrets = secretsOf(url);
  try {
    await verify(pool);
    if (to === null) return { kind: 'ready' };
    return { kind: 'mailed', to, answer: await handOver(pool, composeTest(readSender(from), to), secrets) };
  } catch (error) {
    const isSignIn = error instanceof Error && 'code' in error && error.code === 'EAUTH';
    const { answer } = readFailure(error, secrets);
    return { kind: 'failed', at: isSignIn ? 'sign-in' : 'connection', answer };
  } finally {
    pool.close();
  }
}

function verify(pool: SmtpPool): Promise<void> {
  return new Promise((resolve, reject) => pool.verify((error) => (error ? reject(error) : resolve())));
}

const WORDS = 'This is a test: mails of this Handover installation reach this address.';

function composeTest({ address, domain }: ReturnType<typeof readSender>, to: string): OutgoingMessage {
  return {
    envelope: { from: address, to: [to] },
    from: { name: 'Handover', address },
    to: [{ name: '', address: to }],
    subject: 'Test mail from Handover',
    messageId: `<doctor-${randomUUID()}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    text: `${WORDS}\n`,
    html: `<p>${WORDS}</p>`,
  };
}

const CHECK_LIMIT_MS = 5_000;

/** Creates a check that rejects while the mail server cannot be reached, or does not let us sign in. It sends nothing. */
export function createSmtpCheck(url: string): () => Promise<void> {
  return async () => {
    const transport = new SmtpTransport({
      ...describeServer(url),
      dnsTimeout: CHECK_LIMIT_MS,
      connectionTimeout: CHECK_LIMIT_MS,
      greetingTimeout: CHECK_LIMIT_MS,
      socketTimeout: CHECK_LIMIT_MS,
    });
    await new Promise<void>((resolve, reject) =>
      transport.verify((error) => (error ? reject(error) : resolve())),
    );
  };
}
