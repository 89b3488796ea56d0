import { searchWords, wordsToFind } from '@handover/domain';
import fc from 'fast-check';
import { expect, it } from 'vitest';

it.each([
  ['María José Fernández', ['maria', 'jose', 'fernandez']],
  ['Øyvind Åsen', ['oyvind', 'asen']],
  ['Jürgen Weiß', ['jurgen', 'weiss']],
  ['Łukasz Đorđević', ['lukasz', 'dordevic']],
])('%s is found without accents as well', (name, plain) => {
  expect(wordsToFind(name)).toEqual([...searchWords(name), ...plain]);
});

it('leaves the marks of other scripts, which make another letter', () => {
  expect(wordsToFind('ガボン 한국')).toEqual(['ガボン', '한국']);
});

it('has no empty word for an accent that stands alone', () => {
  expect(wordsToFind('O´ Connor ¨')).toEqual([...searchWords('O´ Connor ¨')]);
});

it('finds every text by its own words', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(wordsToFind(text)).toEqual(expect.arrayContaining([...searchWords(text)]));
    }),
  );
});

it('has nothing to add to what it found', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
      const words = wordsToFind(text);
      expect(new Set(wordsToFind(words.join(' ')))).toEqual(new Set(words));
    }),
  );
});
