import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyCharacter } from '../../test/any-character.ts';

it('lets texts be names of prototypes, which fast-check tries on purpose', () => {
  const text = fc.string({ unit: anyCharacter });
  for (const name of ['__proto__', 'constructor']) expect(text.canShrinkWithoutContext(name)).toBe(true);
});

it('is one character from the first to the last, and half of none', () => {
  for (const half of ['', 'ab', '\ud800', '\udfff', 7])
    expect(anyCharacter.canShrinkWithoutContext(half)).toBe(false);
  for (const whole of ['a', '\0', '\ud7ff', '\ue000', '\u{10ffff}'])
    expect(anyCharacter.canShrinkWithoutContext(whole)).toBe(true);
  fc.assert(fc.property(anyCharacter, (one) => [...one].length === 1 && one.isWellFormed()));
});
