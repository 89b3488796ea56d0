import type { EmailKind } from '@handover/domain';
import { foldLines } from 'nodemailer/lib/mime-funcs';
import MimeNode from 'nodemailer/lib/mime-node';
import { oneLine } from './one-line.ts';
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
  /** The word before the id in the Message-ID. */
  readonly kind: EmailKind;
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
function messageIdOf(kind: EmailKind, id: string, sender: Sender): string {
  const local = id.replace(/[^A-Za-z0-9-]/g, (character) => `=${character.charCodeAt(0).toString(16)}`);
  return `<${kind}-${local}@${sender.domain}>`;
}

/** With the `=` of a soft line break, a line has 76 characters at most. */
const MAX_COLUMN = 75;
/** Each byte takes three characters at most, and each line three more for its soft break. */
const MAX_GROWTH = 3.2;

const [TAB, LF, CR, SPACE, EQUALS, TILDE] = [0x09, 0x0a, 0x0d, 0x20, 0x3d, 0x7e];
const HEX = Buffer.from('0123456789ABCDEF', 'latin1');

/** Enough for nearly every mail. Memory that is used again costs nothing. */
const kept = Buffer.allocUnsafe(64 * 1024);

/**
 * Encodes text as quoted-printable (RFC 2045, 6.7), with every line break as CRLF. In one pass over its bytes: the library
 * takes one pass to encode and several regular expressions for each line to break it.
 */
export function encodeQuotedPrintable(text: string): string {
  const bytes = Buffer.from(text);
  const size = Math.ceil(bytes.length * MAX_GROWTH) + MAX_COLUMN;
  const output = size <= kept.length ? kept : Buffer.allocUnsafe(size);
  let length = 0;
  let column = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    // Nearly every byte.
    if (isPrintable(byte) && column < MAX_COLUMN) {
      output[length++] = byte;
      column += 1;
      continue;
    }
    if (byte === CR || byte === LF) {
      if (byte === CR && bytes[at + 1] === LF) at += 1;
      output[length++] = CR;
      output[length++] = LF;
      column = 0;
      continue;
    }
    const isLiteral = byte === SPACE || byte === TAB ? !endsLine(bytes, at) : isPrintable(byte);
    // Some programs decode each line alone, so the bytes of a character stay together.
    const width = isLiteral ? 1 : 3 * lengthOfCharacter(byte);
    if (column + width > MAX_COLUMN && !continuesCharacter(byte)) {
      output[length++] = EQUALS;
      output[length++] = CR;
      output[length++] = LF;
      column = 0;
    }
    if (isLiteral) {
      output[length++] = byte;
      column += 1;
    } else {
      output[length++] = EQUALS;
      output[length++] = HEX[byte >> 4] ?? 0;
      output[length++] = HEX[byte & 15] ?? 0;
      column += 3;
    }
  }
  return output.toString('latin1', 0, length);
}

function isPrintable(byte: number): boolean {
  return byte > SPACE && byte <= TILDE && byte !== EQUALS;
}

/** Blanks at the end of a line are lost on the way. */
function endsLine(bytes: Uint8Array, at: number): boolean {
  const next = bytes[at + 1];
  return next === undefined || next === CR || next === LF;
}

/** In bytes, by its first one. */
function lengthOfCharacter(byte: number): number {
  if (byte < 0xc0) return 1;
  if (byte < 0xe0) return 2;
  return byte < 0xf0 ? 3 : 4;
}

function continuesCharacter(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0;
}
