import { Readable } from 'node:stream';
import type { MailAnswer, MailClaim, Mailer, Platforms } from '@handover/domain';
import SmtpPool from 'nodemailer/lib/smtp-pool';
import { composeEmail, refuseRecipient } from './compose-email.ts';
import { formatEnvelope, formatMessage, type OutgoingMessage } from './format-message.ts';
import { readSender } from './sender.ts';
import { readFailure, secretsOf, serverWords } from './server-reply.ts';

/** Timeouts in milliseconds. */
export interface SmtpTimeouts {
  /** To resolve and connect to the server. */
  readonly connection: number;
  /** For the server's greeting after that. */
  readonly greeting: number;
  /** For each later response. */
  readonly silence: number;
  /** For one mail in total, including its time in the queue. */
  readonly mail: number;
  /** For the mail in progress when the mailer closes. */
  readonly closing: number;
}

/** The mail server, whom mails are from, and how many connections are used at once. */
export interface SmtpMailerOptions {
  /** `smtp://` or `smtps://`, with credentials. */
  readonly url: string;
  /** An address, or `Name <address>`. */
  readonly from: string;
  /** The maximum number of concurrent connections to the server. */
  readonly connections: number;
  /** Whether the claim certainly has not expired, so that no other process can have the mail. */
  readonly isClaimSure: (claimId: string) => boolean;
  /** Those that alerts name. Left out: the six. */
  readonly platforms?: Platforms;
  readonly timeouts?: Partial<SmtpTimeouts>;
}

export const TIMEOUTS: SmtpTimeouts = {
  connection: 10_000,
  greeting: 15_000,
  silence: 60_000,
  mail: 180_000,
  closing: 20_000,
};

/**
 * Sends mail over a pool of SMTP connections, one mail at a time on each. `close` waits a limited time for
 * the mail in progress.
 */
export function createSmtpMailer(options: SmtpMailerOptions): Mailer & { close(): Promise<void> } {
  const sender = readSender(options.from);
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const pool = createPool(options, timeouts);
  const secrets = secretsOf(options.url);
  const inProgress = new Map<AbortController, Promise<MailAnswer>>();
  let closed = false;

  async function send(message: OutgoingMessage, claim: MailClaim): Promise<MailAnswer> {
    if (closed) return { kind: 'try-again', answer: 'The program is stopping.' };
    const controller = new AbortController();
    const overdue = setTimeout(
      () => controller.abort(new Error(`The mail server did not take the mail in ${timeouts.mail / 1000} s`)),
      timeouts.mail,
    );
    const watch = watchStandingStill();
    const check = () => {
      watch.check();
      checkClaim(claim, options.isClaimSure);
    };
    const sending = handOver(pool, message, secrets, { signal: controller.signal, check });
    inProgress.set(controller, sending);
    const answer = await sending;
    watch.stop();
    clearTimeout(overdue);
    inProgress.delete(controller);
    return answer;
  }

  async function close(): Promise<void> {
    closed = true;
    const overdue = setTimeout(() => {
      const reason = new Error('The program stopped before the mail server answered');
      for (const controller of inProgress.keys()) controller.abort(reason);
    }, timeouts.closing);
    await Promise.all(inProgress.values());
    clearTimeout(overdue);
    pool.close();
  }

  return {
    send: async (mail, claim) => {
      const message = composeEmail(mail, sender, options.platforms);
      return message ? send(message, claim) : refuseRecipient(mail);
    },
    close,
  };
}

/**
 * A process that runs without reaching the database cannot renew its claim: the claim expires, and another
 * process takes the mail without being able to tell the first one. So the first process relies on its own
 * clock.
 */
function checkClaim({ claimId }: MailClaim, isClaimSure: SmtpMailerOptions['isClaimSure']): void {
  if (isClaimSure(claimId)) return;
  throw new Error('The program could not keep its claim of the mail while it talked with the mail server');
}

/** Used for a probe, too. */
export function createPool(
  { url, connections }: Pick<SmtpMailerOptions, 'url' | 'connections'>,
  { connection, greeting, silence }: Pick<SmtpTimeouts, 'connection' | 'greeting' | 'silence'>,
) {
  const pool = new SmtpPool({
    ...describeServer(url),
    maxConnections: connections,
    dnsTimeout: connection,
    // In nodemailer this covers everything up to an established session, the greeting included.
    connectionTimeout: connection + greeting,
    greetingTimeout: greeting,
    socketTimeout: silence,
  });
  // Ignored: the mail concerned gets its own error.
  pool.on('error', () => {});
  return pool;
}

/** How to talk to the mail server, in whatever time: the same for mails, probes and checks. */
export function describeServer(url: string) {
  if (!URL.canParse(url) || !/^smtps?:/i.test(url)) {
    throw new TypeError('The address of the mail server must be a URL that begins with smtp:// or smtps://.');
  }
  return {
    url,
    requireTLS: requiresTls(url),
    // Without this, nodemailer silently skips authentication where a server does not offer it. Without credentials,
    // `verify` would take it for a failure.
    forceAuth: new URL(url).password !== '',
  };
}

/**
 * Whether a connection to this mail server must be encrypted: credentials never cross a network in clear
 * text. An operator who needs that can set `?requireTLS=false` in the URL.
 */
export function requiresTls(url: string): boolean {
  const { hostname, password } = new URL(url);
  const isLoopback = /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
  return password !== '' && !isLoopback;
}

/** Shorter than the remaining time of a claim, as long as its process runs and renews it. */
const MAX_STILL_MS = 5_000;
const LOOK_EVERY_MS = 1_000;

/** Detects whether the process was suspended since a mail was started. */
interface StillWatch {
  /** @throws Error when the process was suspended so long that another one may have started the same mail. */
  check(): void;
  stop(): void;
}

/**
 * A process that is suspended in the middle of an SMTP conversation, or whose machine sleeps, continues it
 * when it wakes; by then another process may have sent the mail. The monotonic clock does not count sleep,
 * and the wall clock can be set, so the larger difference counts: a false positive costs one retry.
 */
function watchStandingStill(): StillWatch {
  let seen = readClocks();
  let stoodStill = false;
  const look = (): void => {
    const now = readClocks();
    if (now.some((time, at) => time - (seen[at] ?? time) > MAX_STILL_MS)) stoodStill = true;
    seen = now;
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  return {
    check: () => {
      look();
      if (stoodStill) throw new Error('The program stood still while it talked with the mail server');
    },
    stop: () => clearInterval(timer),
  };
}

function readClocks(): readonly number[] {
  return [performance.now(), Date.now()];
}

type PooledMail = Parameters<SmtpPool['send']>[0];

/**
 * Sends a message over a pooled connection. The pool reads its bytes when the server is ready for them,
 * which is the last moment to cancel a mail: `check` throws then. The server discards a message that never
 * ends.
 */
export async function handOver(
  pool: SmtpPool,
  message: OutgoingMessage,
  secrets: readonly string[],
  {
    signal = new AbortController().signal,
    check = () => undefined,
  }: { readonly signal?: AbortSignal; readonly check?: () => void } = {},
): Promise<MailAnswer> {
  try {
    return { kind: 'accepted', answer: serverWords(await sendOver(pool, message, signal, check), secrets) };
  } catch (error) {
    return readFailure(signal.aborted ? signal.reason : error, secrets);
  }
}

/** @returns the server's response */
function sendOver(
  pool: SmtpPool,
  message: OutgoingMessage,
  signal: AbortSignal,
  check: () => void,
): Promise<string> {
  const bytes = formatMessage(message, new Date());
  const envelope = formatEnvelope(message);
  const mail = {
    data: { signal },
    message: {
      getEnvelope: () => envelope,
      messageId: () => message.messageId,
      getHeader: () => message.messageId,
      createReadStream: () => readChecked(bytes, check),
    },
  };
  return new Promise((resolve, reject) => {
    // The pool uses only this part of the library's mail object.
    pool.send(mail as unknown as PooledMail, (error, info) =>
      error ? reject(error) : resolve(info?.response ?? ''),
    );
  });
}

/** A single chunk: more would each be a write to the socket. */
function readChecked(bytes: Buffer, check: () => void): Readable {
  return new Readable({
    read() {
      try {
        check();
        this.push(bytes);
        this.push(null);
      } catch (error) {
        this.destroy(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
}
