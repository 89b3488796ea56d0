import fc from 'fast-check';

const SURROGATES_FROM = 0xd800;
const SURROGATES = 0x800;
const CHARACTERS = 0x110000 - SURROGATES;

/**
 * Any character but halves of surrogate pairs, as the unit `binary` of fast-check. That one writes all 1.1 million into a map
 * before a process tries the first string: half a second of processor time, and memory that stays.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: CHARACTERS - 1 })
  .map(characterAt, placeOf);

function characterAt(place: number): string {
  return String.fromCodePoint(place < SURROGATES_FROM ? place : place + SURROGATES);
}

/** Lets fast-check write whole strings with it, such as `__proto__`, and shrink them. */
function placeOf(character: unknown): number {
  const code = typeof character === 'string' ? (character.codePointAt(0) ?? -1) : -1;
  const isSurrogate = code >= SURROGATES_FROM && code < SURROGATES_FROM + SURROGATES;
  if (code < 0 || isSurrogate || String.fromCodePoint(code) !== character)
    throw new TypeError('Not one character.');
  return code < SURROGATES_FROM ? code : code - SURROGATES;
}
