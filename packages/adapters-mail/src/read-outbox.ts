import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Address, type Email } from 'postal-mime';

/** A kept mail, as the list shows it. */
export interface OutboxEntry {
  /** The file's name, for `readOutboxMail`. */
  readonly name: string;
  readonly at: Date;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
}

/** A kept mail, whole. */
export interface OutboxMail {
  readonly subject: string;
  readonly from: string;
  readonly to: string;
  readonly replyTo: string | null;
  readonly date: Date | null;
  readonly html: string;
  readonly text: string;
}

/** The latest mails of an outbox, newest first; empty when the outbox does not exist. */
export async function listOutbox(directory: string, limit = 50): Promise<readonly OutboxEntry[]> {
  const names = (await readNames(directory)).filter((name) => readOutboxName(name) !== null);
  const entries = await Promise.all(
    names
      .sort()
      .reverse()
      .slice(0, limit)
      .map((name) => readEntry(directory, name)),
  );
  return entries.filter((entry) => entry !== null);
}

/** One mail of an outbox, or null when none has that name. */
export async function readOutboxMail(directory: string, name: string): Promise<OutboxMail | null> {
  const email = await parseMail(directory, name);
  if (!email) return null;
  const date = new Date(email.date ?? '');
  return {
    subject: email.subject ?? '',
    from: written(email.from ? [email.from] : []),
    to: written(email.to),
    replyTo: written(email.replyTo) || null,
    date: Number.isNaN(date.getTime()) ? null : date,
    html: email.html ?? '',
    text: email.text ?? '',
  };
}

async function readEntry(directory: string, name: string): Promise<OutboxEntry | null> {
  const at = readOutboxName(name);
  const mail = await readOutboxMail(directory, name);
  return at && mail && { name, at, from: mail.from, to: mail.to, subject: mail.subject };
}

async function parseMail(directory: string, name: string): Promise<Email | null> {
  if (readOutboxName(name) === null) return null;
  try {
    return await PostalMime.parse(await readFile(join(directory, name)));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function readNames(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function written(addresses: readonly Address[] = []): string {
  return addresses
    .flatMap((address) => address.group ?? [address])
    .map(({ name, address }) => (name ? `${name} <${address}>` : address))
    .join(', ');
}

const NAME = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)-[A-Za-z0-9_-]+\.eml$/;

/** A file name that sorts by time and is valid on every file system. */
export function outboxName(at: Date, mailId: string): string {
  const id = mailId.replace(/[^A-Za-z0-9-]/g, '_').slice(0, 64) || '_';
  return `${at.toISOString().replaceAll(':', '-')}-${id}.eml`;
}

/**
 * The time in a mail's file name, or null if the name is not one of ours: this guards against path
 * traversal.
 */
function readOutboxName(name: string): Date | null {
  const [, hour, minute, second] = NAME.exec(name) ?? [];
  const at = new Date(`${hour}:${minute}:${second}`);
  return Number.isNaN(at.getTime()) ? null : at;
}
