import { onTestFinished } from 'vitest';
import { createSmtpMailer, type SmtpMailerOptions } from '../src/index.ts';

export const FROM = 'Handover <orders@get.lumen.audio>';

/** A mailer that is closed when the test is over. */
export function openMailer(options: Partial<SmtpMailerOptions> & { url: string }) {
  const mailer = createSmtpMailer({ from: FROM, connections: 5, isClaimSure: () => true, ...options });
  onTestFinished(() => mailer.close());
  return mailer;
}
