// Tells scripts/run.js where the Node is that npx brought, and the files by which it sees that everything is installed.
import { globSync, writeFileSync } from 'node:fs';
import { stampFiles } from './file-stamps.js';

if (process.env.HANDOVER_TELL_PREPARED) {
  const paths = [
    process.execPath,
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    'node_modules/.modules.yaml',
    ...globSync('{.,apps/*,examples/*,packages/*,packages/*/*}/package.json'),
  ];
  const prepared = { node: process.execPath, version: process.versions.node, stamps: stampFiles(paths) };
  writeFileSync(process.env.HANDOVER_TELL_PREPARED, JSON.stringify(prepared));
}
