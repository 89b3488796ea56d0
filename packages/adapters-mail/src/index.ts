export type { OutboxMailerOptions } from './create-outbox-mailer.ts';
export { createOutboxMailer } from './create-outbox-mailer.ts';
export type { SmtpMailerOptions, SmtpTimeouts } from './create-smtp-mailer.ts';
export { createSmtpMailer } from './create-smtp-mailer.ts';
export type { OutboxEntry, OutboxMail } from './read-outbox.ts';
export { listOutbox, readOutboxMail } from './read-outbox.ts';
export type { RenderedMail } from './receipt/render-receipt.ts';
export { renderReceipt } from './receipt/render-receipt.ts';
export { renderSignIn } from './sign-in/render-sign-in.ts';
