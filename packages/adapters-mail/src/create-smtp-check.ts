import SmtpTransport from 'nodemailer/lib/smtp-transport';
import { requiresTls } from './create-smtp-mailer.ts';

const CHECK_LIMIT_MS = 5_000;

/** Creates a check that rejects while the mail server cannot be reached, or does not let us sign in. It sends nothing. */
export function createSmtpCheck(url: string): () => Promise<void> {
  return async () => {
    const transport = new SmtpTransport({
      url,
      requireTLS: requiresTls(url),
      forceAuth: new URL(url).username !== '',
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
