import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HeldPackage, keyOf } from './held-packages.ts';

/** The licence texts of other people's packages, which their licences require to be passed on. */
export function collectLicences(held: readonly HeldPackage[]): string {
  const theirs = held.filter(({ name }) => !name.startsWith('@handover/'));
  return theirs.map((entry) => `${'='.repeat(80)}\n${keyOf(entry)}\n\n${readLicence(entry)}\n`).join('\n');
}

function readLicence({ directory }: HeldPackage): string {
  const texts = readdirSync(directory)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .sort();
  if (texts.length > 0)
    return texts.map((file) => readFileSync(join(directory, file), 'utf8').trim()).join('\n\n');
  // Some publish no text: their manifest names the licence.
  const { license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  return `Licence: ${license ?? 'not stated by its package'}`;
}
