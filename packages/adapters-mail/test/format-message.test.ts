import fc from 'fast-check';
import { createTransport } from 'nodemailer';
import MimeNode from 'nodemailer/lib/mime-node';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { formatEnvelope, formatMessage, type OutgoingMessage } from '../src/format-message.ts';
import { oneLine } from '../src/one-line.ts';

const DATE = new Date('2026-05-04T10:20:30Z');

const MESSAGE: OutgoingMessage = {
  envelope: { from: 'orders@get.lumen.audio', to: ['ana@example.com'] },
  from: { name: 'Lumen Audio', address: 'orders@get.lumen.audio' },
  to: [{ name: 'Ana Lima', address: 'ana@example.com' }],
  replyTo: { name: 'Lumen Audio', address: 'help@lumen.audio' },
  subject: 'Your files',
  messageId: '<receipt-1@get.lumen.audio>',
  headers: { 'Auto-Submitted': 'auto-generated', 'X-Entity-Ref-ID': '1' },
  text: 'One.\n',
  html: '<p>One.</p>\n',
};

const WORD = fc.constantFrom(
  ...[
    '\r\n',
    '\n',
    '\r',
    ' ',
    '\t',
    '.',
    '\n.',
    '=',
    '=3D',
    '=_handover',
    '--=_handover\r\n',
    '--=_handover--',
    '"',
  ],
  ...[
    '\\',
    '<',
    ',',
    '(',
    ')',
    '@',
    ':',
    'é',
    'Ænima',
    '🎹',
    '山田太郎の店',
    'a',
    'https://get.lumen.audio/d/',
  ],
);
const TEXT = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.array(WORD, { maxLength: 60 }).map((words) => words.join('')),
);
const NAME = TEXT.map((text) => oneLine(text, 100));

describe('an encoded message', () => {
  it('equals the library’s result, header by header and part by part', async () => {
    await fc.assert(
      fc.asyncProperty(NAME, NAME, NAME, TEXT, TEXT, async (shop, buyer, subject, text, html) => {
        const message = {
          ...MESSAGE,
          from: { ...MESSAGE.from, name: shop },
          to: [{ name: buyer, address: 'ana@example.com' }],
          replyTo: { name: shop, address: 'help@klänge.example' },
          subject: `Your ${subject}`,
          text: `One\n${text}`,
          html: `<p>${html}`,
        };
        expect(await read(formatMessage(message, DATE))).toEqual(await read(await composeByLibrary(message)));
      }),
      { numRuns: 300 },
    );
  });

  it('has only complete lines of at most 78 ASCII characters', () => {
    fc.assert(
      fc.property(NAME, TEXT, (subject, text) => {
        const raw = String(formatMessage({ ...MESSAGE, subject, text, html: text }, DATE));
        expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n\0]|[^\0-\x7f]/);
        expect(Math.max(...raw.split('\r\n').map(({ length }) => length))).toBeLessThanOrEqual(78);
      }),
    );
  });

  it('is the same each time, and does not change its input', () => {
    const message = { ...MESSAGE, to: [{ name: '', address: 'ana@klänge.example' }] };
    const before = structuredClone(message);
    expect(formatMessage(message, DATE)).toEqual(formatMessage(message, DATE));
    expect(message).toEqual(before);
  });

  it.each([
    ['ana@klänge.example', 'ana@xn--klnge-hra.example'],
    ['änna@klänge.example', 'änna@klänge.example'],
    ['ana@example.com', 'ana@example.com'],
  ])('goes to %s by the name of %s', (address, told) => {
    const envelope = { from: 'orders@klänge.example', to: [address] };
    expect(formatEnvelope({ ...MESSAGE, envelope })).toEqual({
      from: 'orders@xn--klnge-hra.example',
      to: [told],
    });
  });
});

describe('an envelope', () => {
  const LABEL = fc.stringMatching(/^[a-zA-Z0-9.+_-]{1,12}$/);
  const ADDRESS = fc
    .tuple(
      LABEL,
      fc.oneof(
        LABEL,
        fc.constantFrom('example.com', 'xn--klnge-hra.example', '1.2.3', 'EXAMPLE.com', '-a.b'),
      ),
    )
    .map(([local, domain]) => `${local}@${domain}`);

  it('equals the library’s', () => {
    fc.assert(
      fc.property(ADDRESS, ADDRESS, (from, to) => {
        const named = (address: string) => ({ name: '', address });
        const byLibrary = new MimeNode().setEnvelope({ from: named(from), to: [named(to)] }).getEnvelope();
        expect(formatEnvelope({ ...MESSAGE, envelope: { from, to: [to] } })).toEqual(byLibrary);
      }),
      { numRuns: 1000 },
    );
  });
});

async function composeByLibrary(message: OutgoingMessage): Promise<Buffer> {
  const writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const options = { date: DATE, encoding: 'quoted-printable', xMailer: false } as const;
  const { to, envelope, ...rest } = structuredClone(message);
  // The library leaves a lone CR in the text, which readers of mail then take for no line break.
  const [text, html] = [message.text, message.html].map((part) => part.replace(/\r\n|[\r\n]/g, '\n'));
  const addresses = { to: [...to], envelope: { from: envelope.from, to: [...envelope.to] } };
  const written = await writer.sendMail({ ...rest, text, html, ...options, ...addresses });
  return written.message as Buffer;
}

async function read(raw: Buffer) {
  const { headers, from, to, replyTo, subject, messageId, date, text, html } = await PostalMime.parse(raw);
  const named = headers.filter(({ key }) => key !== 'content-type');
  named.sort((one, other) => one.key.localeCompare(other.key));
  const parts = [text, html].map(readLines);
  return { named, from, to, replyTo, subject, messageId, date, parts };
}

/** However they end, and without empty ones at the end. */
function readLines(part: string | undefined): readonly string[] | undefined {
  return part?.trimEnd().split(/\r\n|[\r\n]/);
}
