import { oneLine } from './one-line.ts';

const MAX_LENGTH = 300;

/** A server's reply as one line, its codes said once, and without `secrets`, whoever repeated them. */
export function serverWords(reply: string, secrets: readonly string[]): string {
  const [first = '', ...rest] = reply.split(/\r?\n/);
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3}) /.exec(first)?.[1];
  const more = rest.map((line) => {
    const text = line.replace(/^\d{3}[ -]?/, '');
    return enhanced && text.startsWith(`${enhanced} `) ? text.slice(enhanced.length + 1) : text;
  });
  return plainWords([first.replace(/^(\d{3})-/, '$1 '), ...more].join(' '), secrets);
}

/** Any words fit to be shown and kept. */
export function plainWords(words: string, secrets: readonly string[]): string {
  const concealed = secrets.reduce((text, secret) => text.replaceAll(secret, '•••'), words);
  return oneLine(concealed, MAX_LENGTH);
}

/** What must never be repeated of a mail server's address: its credentials, in the spellings that SMTP gives them. */
export function secretsOf(url: string): readonly string[] {
  const { username, password } = new URL(url);
  const user = decoded(username);
  const pass = decoded(password);
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const spellings = [pass, password, base64(pass), base64(user), base64(`\0${user}\0${pass}`)];
  // The longest first, so that none is left half said; and none so short that it would be found by chance.
  return spellings.filter(({ length }) => length > 3).sort((a, b) => b.length - a.length);
}

/** A bare percent sign stands for itself, as it does to nodemailer. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
