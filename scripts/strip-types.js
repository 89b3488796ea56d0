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
  if (!existsSync(place)) keep(place, stripTypeScriptTypes(typed.toString()));
}
for (const name of readdirSync(plainDirectory)) forgetFormer(join(plainDirectory, name));

/** Whole or not at all, also while other programs start. */
function keep(place, plain) {
  const draft = `${place}.${process.pid}`;
  writeFileSync(draft, plain);
  renameSync(draft, place);
}

/** What was made of a text that has changed since. */
function forgetFormer(place) {
  if (place.endsWith('.js') && !kept.has(place)) rmSync(place, { force: true });
}
