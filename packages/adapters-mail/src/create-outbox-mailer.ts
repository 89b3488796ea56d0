import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MailAnswer, Mailer, Platforms } from '@handover/domain';
import { composeEmail, refuseRecipient } from './compose-email.ts';
import { formatMessage, type OutgoingMessage } from './format-message.ts';
import { outboxName } from './read-outbox.ts';
import { readSender } from './sender.ts';
import { plainWords } from './server-reply.ts';

/** Where mails are kept as files, and whom they are from. */
export interface OutboxMailerOptions {
  /** Created with the first mail. */
  readonly directory: string;
  /** An address, or `Name <address>`. */
  readonly from: string;
  /** The clock for the names of the files. */
  readonly now?: () => Date;
  /** Those that alerts name. Left out: the six. */
  readonly platforms?: Platforms;
}

/** Writes each mail to its own file, exactly as it would be sent: for trials without a mail server. */
export function createOutboxMailer({
  directory,
  from,
  now = () => new Date(),
  platforms,
}: OutboxMailerOptions): Mailer & { close(): Promise<void> } {
  const sender = readSender(from);
  const inProgress = new Set<Promise<MailAnswer>>();
  let lastTime = 0;

  async function write(id: string, message: OutgoingMessage): Promise<MailAnswer> {
    try {
      // Each time is used once, so that file names sort by the order of the mails.
      lastTime = Math.max(now().getTime(), lastTime + 1);
      const name = outboxName(new Date(lastTime), id);
      await placeFile(directory, name, formatMessage(message, new Date(lastTime)));
      return { kind: 'accepted', answer: `Kept in the outbox as ${name}` };
    } catch (error) {
      return { kind: 'try-again', answer: plainWords(`The outbox did not take the mail: ${error}`, []) };
    }
  }

  async function keep(id: string, message: OutgoingMessage): Promise<MailAnswer> {
    const writing = write(id, message);
    inProgress.add(writing);
    const answer = await writing;
    inProgress.delete(writing);
    return answer;
  }

  return {
    send: async (mail) => {
      const message = composeEmail(mail, sender, platforms);
      return message ? keep(mail.mailId, message) : refuseRecipient(mail);
    },
    async close() {
      await Promise.all(inProgress);
    },
  };
}

/** Writes the file atomically. */
async function placeFile(directory: string, name: string, content: Uint8Array): Promise<void> {
  await mkdir(directory, { recursive: true });
  const temporary = join(directory, `.${randomUUID()}.tmp`);
  try {
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, join(directory, name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
