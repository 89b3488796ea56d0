import { localPart } from '@handover/domain';
import { oneLine } from '../one-line.ts';

const TITLES = /^(mr|mrs|ms|mx|miss|dr|prof|herr|frau|sir|dame)\.?$/i;
const NOT_A_NAME = /^(inc|llc|ltd|gmbh|phd|md|jr|sr)$/i;

/**
 * The buyer's first name, or null where a guess could go wrong: people type companies, addresses and web
 * links into name fields, and a missing name was derived from the address.
 */
export function firstName({ name, email }: { readonly name: string; readonly email: string }): string | null {
  const whole = oneLine(name, 200);
  if (whole === '' || whole.toLowerCase() === localPart(email).toLowerCase()) return null;
  const [before = '', after = ''] = whole.split(',');
  // “Lima, Ana” is reordered; “Ana Lima, PhD” is not.
  const given = after.trim() !== '' && !before.trim().includes(' ') ? after : before;
  const word = given
    .trim()
    .split(' ')
    .find((part) => !TITLES.test(part));
  return word && isName(word) ? word : null;
}

function isName(word: string): boolean {
  const length = [...word].length;
  return length > 1 && length <= 30 && /^\p{L}[\p{L}\p{M}'’-]*$/u.test(word) && !NOT_A_NAME.test(word);
}
