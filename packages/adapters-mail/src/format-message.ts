import { foldLines } from 'nodemailer/lib/mime-funcs';
import MimeNode from 'nodemailer/lib/mime-node';
import { oneLine } from './one-line.ts';
import { encodeQuotedPrintable } from './quoted-printable.ts';
import type { Sender } from './sender.ts';

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

/** A mail before it is encoded. */
export interface OutgoingMessage {
  /** Separate from the headers, so that no header value can add a recipient. */
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  readonly from: MailAddress;
  readonly to: readonly MailAddress[];
  readonly replyTo?: MailAddress;
  readonly subject: string;
  readonly messageId: string;
  /** Their values are ASCII, and never user input. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly html: string;
}

/** Only encodes headers: addresses in punycode, names and subjects in encoded words. */
const node = new MimeNode();

/** Quoted-printable encodes every `=` as `=3D`, so no part can contain this. */
const BOUNDARY = '=_handover';

/** Links are long, and no other encoding guarantees that they stay in one piece. */
const PART_HEAD = 'charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n';

/**
 * Encodes the whole message synchronously. The library composes a message with a dozen streams, which takes
 * five times as long: in bursts, mails take most of an order's time.
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

/** The SMTP envelope, with domains in punycode. */
export function formatEnvelope({ envelope: { from, to } }: OutgoingMessage) {
  if ([from, ...to].every((address) => PLAIN_ADDRESS.test(address))) return { from, to: [...to] };
  return new MimeNode().setEnvelope({ from: named(from), to: to.map(named) }).getEnvelope();
}

/** These are the same when they are encoded, and nearly all are of this kind. The library takes long to find out. */
const PLAIN_ADDRESS = /^[\w+-]+(\.[\w+-]+)*@[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/;
const PLAIN_NAME = /^[\w ]*$/;
const PLAIN_TEXT = /^[\w .,:!&'()-]*$/;
/** Longer lines are folded. */
const MAX_PLAIN_LINE = 75;

function formatHeader(key: string, value: string | readonly MailAddress[]): string {
  const plain = `${key}: ${typeof value === 'string' ? value : value.map(formatPlain).join(', ')}`;
  const isPlain =
    typeof value === 'string'
      ? PLAIN_TEXT.test(value)
      : value.every(({ name, address }) => PLAIN_NAME.test(name) && PLAIN_ADDRESS.test(address));
  if (isPlain && plain.length <= MAX_PLAIN_LINE) return plain;
  // The library mutates its input.
  const copy = typeof value === 'string' ? value : value.map((one) => ({ ...one }));
  return foldLines(`${key}: ${node.encodeHeaderValue(key, copy)}`);
}

function formatPlain({ name, address }: MailAddress): string {
  return name === '' ? address : `${name} <${address}>`;
}

/** An object, so that the library does not parse the address. */
function named(address: string): MailAddress {
  return { name: '', address };
}

function formatPart(kind: 'plain' | 'html', content: string): string {
  return `--${BOUNDARY}\r\nContent-Type: text/${kind}; ${PART_HEAD}${encodeQuotedPrintable(content)}`;
}

/** The headers and addresses that every mail has. */
export function frameMessage({
  kind,
  id,
  to,
  sender,
  locale = 'en-GB',
}: {
  readonly kind: 'receipt' | 'links' | 'sign-in' | 'new-device' | 'invitation' | 'alert';
  readonly id: string;
  readonly to: readonly string[];
  readonly sender: Sender;
  readonly locale?: string;
}): Pick<OutgoingMessage, 'envelope' | 'messageId' | 'headers'> {
  return {
    envelope: { from: sender.address, to: [...to] },
    messageId: messageIdOf(kind, id, sender),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'OOF, AutoReply',
      // Keeps Gmail from threading two orders of one buyer into one conversation.
      'X-Entity-Ref-ID': oneLine(id, 100),
      'Content-Language': locale,
    },
  };
}

/** Each attempt of a mail has the same id, so that a duplicate can be recognised. */
function messageIdOf(kind: string, id: string, sender: Sender): string {
  const local = id.replace(/[^A-Za-z0-9-]/g, (character) => `=${character.charCodeAt(0).toString(16)}`);
  return `<${kind}-${local}@${sender.domain}>`;
}
