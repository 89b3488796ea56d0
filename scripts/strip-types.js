// Takes the types off every source file of the program, for run-plain.js.
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { placeOfPlain, plainDirectory, root } from './place-of-plain.js';

mkdirSync(plainDirectory, { recursive: true });
const kept = new Set();
for (const path of globSync('{apps,packages}/**/src/**/*.ts', {
  cwd: root,
  exclude: ['**/node_modules/**'],
})) {
  const typed = readFileSync(join(root, path));
  const place = placeOfPlain(typed);
  kept.add(place);
  if (!existsSync(place)) tryToKeep(place, typed.toString());
}
for (const name of readdirSync(plainDirectory)) forgetFormer(join(plainDirectory, name));

/** What cannot be made plain is left to Node, which says what is wrong with it; the others are kept all the same. */
function tryToKeep(place, typed) {
  const draft = `${place}.${process.pid}`;
  try {
    // Whole or not at all, also while other programs start.
    writeFileSync(draft, stripTypeScriptTypes(typed));
    renameSync(draft, place);
  } catch {
    rmSync(draft, { force: true });
  }
}

/** What was made of a text that has changed since. */
function forgetFormer(place) {
  if (place.endsWith('.js') && !kept.has(place)) rmSync(place, { force: true });
}
