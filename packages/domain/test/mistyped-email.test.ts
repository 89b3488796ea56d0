import { normalizeEmail, readEmail, suggestEmail } from '@handover/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

describe('the address that was probably meant', () => {
  test.for([
    ['ana@gmial.com', 'ana@gmail.com'],
    ['Ana.Lima+music@GMAIL.CO', 'Ana.Lima+music@gmail.com'],
    ['jo@gmail.con', 'jo@gmail.com'],
    ['jo@gmial.con', 'jo@gmail.com'],
    ['jo@lumen-audio.cmo', 'jo@lumen-audio.com'],
    ['mia@yahooo.com', 'mia@yahoo.com'],
    ['mia@hotmail.cｏ', 'mia@hotmail.com'],
  ] as const)('is, for %s, %s', ([typed, meant]) => {
    expect(suggestEmail(typed)).toBe(meant);
  });

  test.for([
    'ana@gmail.com',
    'ana@mail.com',
    'ana@email.com',
    'ana@gmx.net',
    'ana@ymail.com',
    'ana@yahoo.co.uk',
    'ana@yahoo.com.br',
    'ana@uol.com.br',
    'ana@hotmail.co.uk',
    'ana@bank.co',
    'ana@con',
    'gmial.com',
    '',
  ])('is unknown for %s', (typed) => {
    expect(suggestEmail(typed)).toBe(null);
  });

  test('is itself a whole address, of the same mailbox, and no slip', () => {
    fc.assert(
      fc.property(
        fc.emailAddress(),
        fc.constantFrom('gmial.com', 'shop.con', 'outlok.vom', 'icloud.cm'),
        (email, domain) => {
          const mailbox = email.slice(0, email.lastIndexOf('@') + 1);
          const meant = suggestEmail(mailbox + domain) ?? '';
          expect(meant.startsWith(mailbox)).toBe(true);
          expect(normalizeEmail(meant)).not.toBe(normalizeEmail(mailbox + domain));
          expect(readEmail(meant)).toBe(readEmail(mailbox + domain) === null ? null : meant);
          expect(suggestEmail(meant)).toBe(null);
        },
      ),
    );
  });
});
