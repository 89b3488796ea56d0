// `npm run release`: one tarball that runs on Node alone. See docs/decisions/0052-a-release-is-one-tarball.md.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleProgram } from './bundle.ts';
import { buildTarball } from './release/build-tarball.ts';
import { readSource } from './release/read-source.ts';
import { stageRelease } from './release/stage-release.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: { 'with-postgres': { type: 'boolean', default: false }, out: { type: 'string' } },
});
const out = values.out ?? join(root, 'release');

const source = readSource(root);
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-b', 'apps/server'], {
  cwd: root,
  stdio: ['ignore', 2, 2],
});
const program = await bundleProgram(root, source.commit);
const name = `handover-${source.version}-${source.commit.slice(0, 12)}${source.isChanged ? '-changed' : ''}`;
const platform = values['with-postgres'] ? `${process.platform}-${process.arch}` : null;
const folder = join(out, platform === null ? name : `${name}-${platform}`);
stageRelease(root, folder, { program, source, platform });
const tarball = await buildTarball(folder, source.madeAt);
rmSync(folder, { recursive: true });
console.log(tarball);
