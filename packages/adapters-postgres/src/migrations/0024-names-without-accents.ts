import type { Migration } from './migration-kinds.ts';

/** As `wordsToFind` of the domain has it. Of a word that is an accent only, nothing is left, and no space. */
const WITHOUT_ACCENTS = `trim(regexp_replace(normalize(replace(replace(replace(translate(
  regexp_replace(normalize(filled.search_words, nfkd), '[\\u0300-\\u036f]', '', 'g'),
  'øłđı', 'oldi'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), nfc), ' +', ' ', 'g'))`;

/** New customers are found without the accents of their names; these are those who were there before. */
export const namesWithoutAccents: Migration = {
  kind: 'backfill',
  compatibleWith: '0023-waiting-lines',
  table: 'customers',
  key: ['org_id', 'id'],
  set: `search_words = filled.search_words || ' ' || ${WITHOUT_ACCENTS}`,
  where: `not string_to_array(${WITHOUT_ACCENTS}, ' ') <@ string_to_array(filled.search_words, ' ')`,
};
