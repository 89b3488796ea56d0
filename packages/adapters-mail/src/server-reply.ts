import type { MailAnswer } from '@handover/domain';
import type { NodemailerError } from 'nodemailer';
import { oneLine } from './one-line.ts';

/** Classifies a failed attempt. Its message is the server's; if the server sent none, ours. */
export function readFailure(error: unknown, secrets: readonly string[]): MailAnswer {
  const failure: NodemailerError = error instanceof Error ? error : new Error(String(error));
  return {
    kind: isFinal(failure) ? 'refused' : 'try-again',
    answer: failure.response
      ? serverWords(failure.response, secrets)
      : plainWords(ownWords(failure), secrets),
  };
}

/** The server rejected this recipient or message permanently; it did not reject us, and did not lack room. */
function isFinal({ command, permanent, response = '' }: NodemailerError): boolean {
  if (command !== 'RCPT TO' && command !== 'DATA') return false;
  return permanent === true && !isAboutUs(response) && !isAboutQuota(response);
}

/** Some servers reject the sender only when they read the recipient. */
function isAboutUs(response: string): boolean {
  return (
    /^(530|534|535|538)\b/.test(response) ||
    isRelayDenied(response) ||
    /authentication (is )?required|(must|need to) authenticate/i.test(response)
  );
}

function isRelayDenied(response: string): boolean {
  const at = response.search(/\brelay(ing)?\b/i);
  const after = at < 0 ? '' : response.slice(at);
  return /\b(denied|prohibited|not (permitted|allowed))/i.test(after) || /unable to relay/i.test(response);
}

/**
 * A full mailbox is emptied and a daily limit ends, whatever the code says; RFC 5321 (4.5.3.1.10) tells
 * clients to treat 552 as its temporary sibling 452. Only a message that is itself too large stays too
 * large.
 */
function isAboutQuota(response: string): boolean {
  if (/\b5\.(3\.4|2\.3)\b|message (size|too|is too) /i.test(response)) return false;
  return (
    /^552\b/.test(response) ||
    /\b5\.(2\.2|3\.1|4\.5)\b/.test(response) ||
    /quota|mailbox (is )?full|(sending|rate|daily|hourly) limit/i.test(response)
  );
}

function ownWords({ code, message }: NodemailerError): string {
  const sentence = `${message.replace(/\.$/, '')}.`;
  switch (code) {
    case 'ETIMEDOUT':
      return `The mail server did not answer in time: ${sentence}`;
    case 'EDNS':
      return `The name of the mail server could not be resolved: ${sentence}`;
    case 'ETLS':
    case 'ESOCKET':
    case 'ECONNECTION':
      return `No connection to the mail server: ${sentence}`;
    case 'EAUTH':
      return `Signing in at the mail server failed: ${sentence}`;
    default:
      return sentence;
  }
}

const MAX_LENGTH = 300;

/**
 * A server's reply as one line, without duplicate codes and without `secrets`, even if the server repeated
 * them.
 */
export function serverWords(reply: string, secrets: readonly string[]): string {
  const [first = '', ...rest] = reply.split(/\r?\n/);
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3}) /.exec(first)?.[1];
  const more = rest.map((line) => {
    const text = line.replace(/^\d{3}[ -]?/, '');
    return enhanced && text.startsWith(`${enhanced} `) ? text.slice(enhanced.length + 1) : text;
  });
  return plainWords([first.replace(/^(\d{3})-/, '$1 '), ...more].join(' '), secrets);
}

/** Sanitizes any message for display and storage. */
export function plainWords(words: string, secrets: readonly string[]): string {
  const concealed = secrets.reduce((text, secret) => text.replaceAll(secret, '•••'), words);
  return oneLine(concealed, MAX_LENGTH);
}

/** The credentials in a mail server's address, in the encodings that SMTP uses: they must never be shown. */
export function secretsOf(url: string): readonly string[] {
  const { username, password } = new URL(url);
  const user = decoded(username);
  const pass = decoded(password);
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const spellings = [pass, password, base64(pass), base64(user), base64(`\0${user}\0${pass}`)];
  // Longest first, so that no secret is removed only in part. Short ones are left out, because they would
  // match by chance.
  return spellings.filter(({ length }) => length > 3).sort((a, b) => b.length - a.length);
}

/** A bare percent sign is literal, as in nodemailer. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
