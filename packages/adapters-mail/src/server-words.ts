import { oneLine } from './one-line.ts';

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
