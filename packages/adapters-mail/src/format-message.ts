import { foldLines } from 'nodemailer/lib/mime-funcs';
import MimeNode from 'nodemailer/lib/mime-node';
import { encode, wrap } from 'nodemailer/lib/qp';

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

/** A mail before it is written as bytes. */
export interface OutgoingMessage {
  /** Named apart from the headers, so that no spelling of a header can add a recipient. */
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  readonly from: MailAddress;
  readonly to: readonly MailAddress[];
  readonly replyTo?: MailAddress;
  readonly subject: string;
  readonly messageId: string;
  /** Their values are ASCII, and ours. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly html: string;
}

/** Only asked how headers are written: addresses in punycode, names and subjects in encoded words. */
const node = new MimeNode();

/** As quoted-printable writes every `=` as `=3D`, no part can hold this. */
const BOUNDARY = '=_handover';

/** Links are long: no other encoding promises to leave them in one piece. */
const PART_HEAD = 'charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n';

/**
 * The whole message, in one piece and at once. The library would compose it by a dozen streams, which take five times as
 * long: in bursts, mails take most of what an order takes.
 */
export function formatMessage(message: OutgoingMessage, date: Date): Buffer {
  const { headers, from, to, replyTo, subject, messageId, text, html } = message;
  const lines = [
    ...Object.entries(headers).map(([key, value]) => `${key}: ${value}`),
    formatHeader('From', [from]),
    formatHeader('To', to),
    ...(replyTo ? [formatHeader('Reply-To', [replyTo])] : []),
    formatHeader('Subject', subject),
    formatHeader('Message-ID', messageId),
    `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary="${BOUNDARY}"`,
    '',
    formatPart('plain', text),
    formatPart('html', html),
    `--${BOUNDARY}--\r\n`,
  ];
  return Buffer.from(lines.join('\r\n'));
}

/** Whom the mail server is told of: domains as mail servers spell them. */
export function formatEnvelope({ envelope: { from, to } }: OutgoingMessage) {
  return new MimeNode().setEnvelope({ from: named(from), to: to.map(named) }).getEnvelope();
}

function formatHeader(key: string, value: string | readonly MailAddress[]): string {
  // The library writes into what it is given.
  const copy = typeof value === 'string' ? value : value.map((one) => ({ ...one }));
  return foldLines(`${key}: ${node.encodeHeaderValue(key, copy)}`);
}

/** So that it is not parsed. */
function named(address: string): MailAddress {
  return { name: '', address };
}

function formatPart(kind: 'plain' | 'html', content: string): string {
  const lines = content.replace(/\r\n|[\r\n]/g, '\r\n');
  return `--${BOUNDARY}\r\nContent-Type: text/${kind}; ${PART_HEAD}${wrap(encode(lines))}`;
}
