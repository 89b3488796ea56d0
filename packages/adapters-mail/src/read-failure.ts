import type { MailAnswer } from '@handover/domain';
import type { NodemailerError } from 'nodemailer';
import { plainWords, serverWords } from './server-words.ts';

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
