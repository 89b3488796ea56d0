import { fileURLToPath } from 'node:url';
import { createPlatform } from './new-platform/create-platform.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const [, , label] = process.argv;
const created = await createPlatform(root, label);
if (created.kind === 'refused') {
  process.stderr.write(`${created.reason}\n`);
  process.exitCode = 1;
} else {
  process.stdout.write(`
${created.folder} is written. Next:

  1. Link it into the workspace:

       pnpm install

  2. Fill it in until its contract passes; each failure says what is missing:

       pnpm exec vitest run --project unit ${created.folder}

     test/fixtures and contract.test.ts: a real paid order, and what must become of it
     src/testing.ts: sign as the vendor does
     src/verify.ts: check that signature
     src/payload.ts, src/translate.ts: read what the order says

  3. Add ${label} to PLATFORMS in packages/domain/src/model/platform.ts.
     The type checker then names each table that wants a row for it: pnpm run types

  4. Offer it: PLATFORMS_OF_ORGANISATIONS in apps/server/src/composition/composition.ts, its dependency in
     apps/server/package.json and its reference in apps/server/tsconfig.json; a row in apps/server/test/platforms.db.test.ts
     tries it end to end.

  5. Write it down: README.md, and pnpm run verify at the end.
`);
}
