import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type HeldPackage, keyOf } from './held-packages.ts';

/** The licence texts of other people's packages, which their licences require to be passed on. */
export function collectLicences(held: readonly HeldPackage[]): string {
  const theirs = held.filter(({ name }) => !name.startsWith('@handover/'));
  return theirs.map((entry) => `${'='.repeat(80)}\n${keyOf(entry)}\n\n${readLicence(entry)}\n`).join('\n');
}

function readLicence({ directory }: HeldPackage): string {
  // Some keep several texts in a folder.
  const texts = readdirSync(directory, { withFileTypes: true })
    .filter(({ name }) => /^(licen[cs]e|copying|notice)/i.test(name))
    .flatMap((entry) => (entry.isDirectory() ? listFolder(directory, entry.name) : [entry.name]))
    .sort();
  if (texts.length > 0)
    return texts.map((file) => readFileSync(join(directory, file), 'utf8').trim()).join('\n\n');
  // Some publish no text: their manifest names the licence.
  const { license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  return `Licence: ${license ?? 'not stated by its package'}`;
}

function listFolder(directory: string, name: string): readonly string[] {
  return readdirSync(join(directory, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)));
}
