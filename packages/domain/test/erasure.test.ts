import { eraseIdentity, isErased, readEmail, withoutBuyers } from '@handover/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../../test/any-character.ts';

const ANA = { email: 'Ana@Example.com', name: 'Ana Lima' };

test.each([
  [
    'The address is corrected from ana@EXAMPLE.com to eva@example.com.',
    'The address is corrected from [erased] to eva@example.com.',
  ],
  ['Pads 1.0 downloaded by Ana Lima.', 'Pads 1.0 downloaded by [erased].'],
  ['ANA LIMA, Ana Lima; “Ana Lima”', '[erased], [erased]; “[erased]”'],
  ['Juana Limable', 'Juana Limable'],
  ['lana@example.com', 'lana@example.com'],
  ['It was refused: “550 No box ANA here”. ana', 'It was refused: “[erased]”. ana'],
  ['It was refused: “550 No box banana here”.', 'It was refused: “550 No box banana here”.'],
])('%s', (text, expected) => {
  expect(withoutBuyers(text, [ANA])).toBe(expected);
});

test('a short name is not taken out of other words', () => {
  const al = { email: 'al@example.com', name: 'Al' };
  expect(withoutBuyers('Total: sold by Al', [al])).toBe('Total: sold by [erased]');
});

test('no text is left with the address as a word, whatever is around it', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter }), (before, after) => {
      const rest = withoutBuyers(`${before} ${ANA.email} ${after}`, [ANA]);
      expect(rest.includes(` ${ANA.email} `)).toBe(false);
      expect(withoutBuyers(rest, [ANA])).toBe(rest);
    }),
  );
});

test('an erased buyer has an address that is one, and to which nobody can mail', () => {
  const { email } = eraseIdentity({ id: '01A224C1-0000-7000-8000-000000000001' });
  expect(email).toBe('erased-01a224c1-0000-7000-8000-000000000001@erased.invalid');
  expect([readEmail(email), isErased(email), isErased(ANA.email)]).toEqual([email, true, false]);
});
