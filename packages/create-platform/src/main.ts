#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { findLabelObjection } from './find-label-objection.ts';
import { writePlatform } from './write-platform.ts';

const [, , label] = process.argv;
const objection = findObjection(label);
if (label === undefined || objection !== null) {
  process.stderr.write(`${objection}\n`);
  process.exitCode = 1;
} else {
  await writePlatform(resolve(label), label, 'alone');
  process.stdout.write(`
${label} is written. Next:

  cd ${label}
  npm install
  npm test

Fill it in until its contract passes; each failure says what is missing. Then offer it to a server:

  npm run build
  PLATFORMS=${resolve(label, 'dist/index.js')} npx @handover/server serve
`);
}

function findObjection(label: string | undefined): string | null {
  if (label === undefined) return 'Say how the platform is called: npx @handover/create-platform gumtree';
  return findLabelObjection(label) ?? (existsSync(label) ? `${label} exists already.` : null);
}
