import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import type { MailAnswer } from '@handover/domain';
import SmtpTransport from 'nodemailer/lib/smtp-transport';
import { createPool, describeServer, handOver, type SmtpTimeouts, TIMEOUTS } from './create-smtp-mailer.ts';
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
  timeouts: ProbeTimeouts = { ...TIMEOUTS, silence: 15_000, mail: 60_000 },
): Promise<MailProbe> {
  const pool = createPool({ url, connections: 1 }, timeouts);
  const secrets = secretsOf(url);
  try {
    await signIn(url, timeouts);
    if (to === null) return { kind: 'ready' };
    const reason = new Error(`The mail server did not take the mail in ${timeouts.mail / 1000} s`);
    const overdue = new AbortController();
    const timer = setTimeout(() => overdue.abort(reason), timeouts.mail);
    const { signal } = overdue;
    const answer = await handOver(pool, composeTest(readSender(from), to), secrets, { signal });
    clearTimeout(timer);
    return { kind: 'mailed', to, answer };
  } catch (error) {
    const isSignIn = error instanceof Error && 'code' in error && error.code === 'EAUTH';
    const { answer } = readFailure(error, secrets);
    return { kind: 'failed', at: isSignIn ? 'sign-in' : 'connection', answer };
  } finally {
    pool.close();
  }
}

/** `mail`: for signing in, and for the test mail. */
type ProbeTimeouts = Omit<SmtpTimeouts, 'closing'>;

/**
 * Connects and signs in. The socket is our own, so that it can be closed after `mail` in any case: a server that sends slowly, but
 * never completes its answer, is not silent.
 */
function signIn(url: string, { connection, greeting, silence, mail }: ProbeTimeouts): Promise<void> {
  const socket = new Socket();
  // Those of the library may be gone by then.
  socket.on('error', () => undefined);
  const transport = new SmtpTransport({
    ...describeServer(url),
    socket,
    dnsTimeout: connection,
    connectionTimeout: connection + greeting,
    greetingTimeout: greeting,
    socketTimeout: silence,
  });
  return new Promise((resolve, reject) => {
    const overdue = setTimeout(() => {
      reject(new Error(`The mail server did not let us in within ${mail / 1000} s`));
      socket.destroy();
    }, mail);
    overdue.unref();
    socket.once('close', () => clearTimeout(overdue));
    transport.verify((error) => (error ? reject(error) : resolve()));
  });
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

/** For all of it: a probe of readiness waits for no more. */
const CHECK_LIMIT_MS = 5_000;

/** Creates a check that rejects while the mail server cannot be reached, or does not let us sign in. It sends nothing. */
export function createSmtpCheck(url: string, limitMs = CHECK_LIMIT_MS): () => Promise<void> {
  return () => signIn(url, { connection: limitMs, greeting: limitMs, silence: limitMs, mail: limitMs });
}
