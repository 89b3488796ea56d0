import type { ReceiptMail } from '@handover/domain';
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../test/any-character.ts';
import { composeEmail } from '../src/compose-email.ts';
import { formatEnvelope, formatMessage } from '../src/format-message.ts';
import { oneLine } from '../src/one-line.ts';
import { readSender } from '../src/sender.ts';
import { sampleItem, sampleReceipt } from './sample-receipt.ts';

const SENDER = readSender('orders@get.lumen.audio');
const NASTY = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc
    .array(
      fc.constantFrom(
        '\r\n',
        '\n',
        '\r',
        '\0',
        '"',
        '\\',
        '<',
        '>',
        ',',
        ';',
        ':',
        '@',
        '(',
        ')',
        ' ',
        '=?utf-8?Q?x?=',
        'Bcc: eve@example.com',
        '\r\n\r\nbody',
        'Ænima',
        '🎹',
        '\u202e',
        '\ud800',
        'é',
      ),
      { maxLength: 20 },
    )
    .map((parts) => parts.join('')),
);

async function build(receipt: ReceiptMail) {
  const message = composeEmail(receipt, SENDER);
  if (!message) throw new Error('No mail can be sent to that address.');
  const raw = String(formatMessage(message, new Date()));
  return { raw, envelope: formatEnvelope(message), email: await PostalMime.parse(raw) };
}

describe('the headers of a receipt', () => {
  const NAMES = [
    'content-language',
    'content-type',
    'auto-submitted',
    'x-auto-response-suppress',
    'x-entity-ref-id',
    'from',
    'to',
    'reply-to',
    'subject',
    'message-id',
    'date',
    'mime-version',
  ].sort();

  it('are exactly these, to this recipient only, whatever the names contain', async () => {
    await fc.assert(
      fc.asyncProperty(NASTY, NASTY, NASTY, NASTY, async (shop, buyer, product, orderNumber) => {
        const { raw, email, envelope } = await build(
          sampleReceipt({
            organisation: { name: shop, replyTo: 'help@lumen.audio' },
            to: { email: 'ana@example.com', name: buyer },
            items: [sampleItem({ productName: product, version: product })],
            orderNumber,
          }),
        );
        expect(email.headers.map(({ key }) => key).sort()).toEqual(NAMES);
        expect(envelope).toEqual({ from: 'orders@get.lumen.audio', to: ['ana@example.com'] });
        expect(email.to).toHaveLength(1);
        expect(email.to?.[0]?.address).toBe('ana@example.com');
        expect(email.from?.address).toBe('orders@get.lumen.audio');
        expect(email.replyTo?.map(({ address }) => address)).toEqual(['help@lumen.audio']);
        expect(email.attachments).toEqual([]);
        expect(email.text).toContain(sampleItem().downloadUrl);
        expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n\0]/);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    'Lumen Audio',
    'O’Brien & Söhne, “Klänge”',
    'Lumen, Audio',
    '"Lumen" Audio <x>',
    'a@b.example',
    '山田太郎の店',
    '🎹 Pianos',
    'Ænima (Ltd); Co: KG',
  ])('contain the name %s unchanged', async (name) => {
    const { email } = await build(sampleReceipt({ organisation: { name, replyTo: null } }));
    expect(email.from).toEqual({ name, address: 'orders@get.lumen.audio' });
  });

  it('have no empty sender name', async () => {
    const { email } = await build(sampleReceipt({ organisation: { name: ' \u202e', replyTo: null } }));
    expect(email.from).toEqual({ name: '', address: 'orders@get.lumen.audio' });
  });

  it('have one Message-ID per receipt, whatever its id looks like', () => {
    const idOf = (mailId: string) => composeEmail(sampleReceipt({ mailId }), SENDER)?.messageId;
    expect(idOf('a-1')).toBe('<receipt-a-1@get.lumen.audio>');
    expect(idOf('a>\r\n@')).toBe('<receipt-a=3e=d=a=40@get.lumen.audio>');
  });

  it('leave the link unbroken in the mail’s source too', async () => {
    const { raw } = await build(sampleReceipt());
    expect(raw.replaceAll('=\r\n', '')).toContain(sampleItem().downloadUrl);
    expect(Math.max(...raw.split('\r\n').map(({ length }) => length))).toBeLessThanOrEqual(78);
  });
});

describe('the sender', () => {
  it.each([
    ['orders@lumen.audio', 'orders@lumen.audio', 'lumen.audio'],
    ['Lumen Audio <orders@lumen.audio>', 'orders@lumen.audio', 'lumen.audio'],
    ['"Lumen <Audio>" <orders@lumen.audio> ', 'orders@lumen.audio', 'lumen.audio'],
    ['orders@klänge.example', 'orders@klänge.example', 'xn--klnge-hra.example'],
  ])('%s', (from, address, domain) => {
    expect(readSender(from)).toEqual({ address, domain });
  });

  it.each(['', 'Lumen', 'a b@c', 'a@b, c@d', '<>'])('is never %s', (from) => {
    expect(() => readSender(from)).toThrow(TypeError);
  });
});

describe('one line', () => {
  it('contains no control character and is truncated', () => {
    fc.assert(
      fc.property(NASTY, (text) => {
        const line = oneLine(text, 20);
        expect([...line].length).toBeLessThanOrEqual(20);
        expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u202e]/u);
        expect(line.isWellFormed()).toBe(true);
        expect(oneLine(line, 20)).toBe(line);
      }),
    );
  });
});
