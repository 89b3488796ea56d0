import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { extract } from 'tar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
let out: string;
let tarball: string;
/** The unpacked release. */
let folder: string;

beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), 'handover-release-'));
  tarball = await build(join(out, 'made'));
  await extract({ file: tarball, cwd: out });
  folder = join(out, basename(tarball, '.tar.gz'));
});

afterAll(() => rm(out, { recursive: true, force: true }));

describe('npm run release', () => {
  test('prints the path of a tarball, beside which its SHA-256 is', async () => {
    const sum = createHash('sha256')
      .update(await readFile(tarball))
      .digest('hex');
    expect(await readFile(`${tarball}.sha256`, 'utf8')).toBe(`${sum}  ${basename(tarball)}\n`);
    expect(await readdir(dirname(tarball))).toHaveLength(2);
  });

  test('packs the program, its pages, its units, and what is known of its packages', async () => {
    const files = await readdir(folder, { recursive: true });
    expect(files).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'THIRD-PARTY-LICENSES.txt',
        'apps/server/dist/handover.js',
        'bin/handover',
        'deploy/Dockerfile',
        'deploy/systemd/handover.service',
        'docs/install.md',
        'packages/adapters-http/assets/dashboard.js',
        'sbom.cdx.json',
      ]),
    );
    expect(files.filter((file) => /\.tsx?$|(^|\/)(test|src)(\/|$)/.test(file))).toEqual([]);
    expect((await stat(join(folder, 'bin/handover'))).mode & 0o777).toBe(0o755);
    const readme = await readFile(join(folder, 'README.md'), 'utf8');
    expect(readme).toContain('It contains no PostgreSQL: set `DATABASE_URL`.');
    expect(readme).not.toMatch(/VERSION|COMMIT|POSTGRES\./);
  });

  test('lists every package that it holds in the SBOM, with its licence, and none that only tests need', async () => {
    const bom = JSON.parse(await readFile(join(folder, 'sbom.cdx.json'), 'utf8'));
    expect(bom).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      metadata: { component: { name: 'handover', type: 'application' } },
    });
    const named = bom.components.map(({ group, name }: { group?: string; name: string }) =>
      group ? `${group}/${name}` : name,
    );
    expect(named).toEqual(expect.arrayContaining(['fastify', 'pg', '@aws-sdk/client-s3', 'basecoat-css']));
    for (const name of ['vitest', 'typescript', 'rolldown', 'smtp-server']) expect(named).not.toContain(name);
    const refs = new Set(bom.components.map((component: { 'bom-ref': string }) => component['bom-ref']));
    for (const { dependsOn } of bom.dependencies) for (const ref of dependsOn) expect(refs).toContain(ref);
    const licences = await readFile(join(folder, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    expect(licences).toMatch(/^fastify@\d[\s\S]*Permission is hereby granted/m);
  });

  test('runs on Node alone, from a folder that it cannot write to', async () => {
    for (const path of [...globSync('**/', { cwd: folder }), '.']) await chmod(join(folder, path), 0o555);
    const elsewhere = join(out, 'elsewhere');
    await mkdir(elsewhere);
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const options = { cwd: elsewhere, env: { PATH: '/nonexistent' } };
    const handover = join(folder, 'bin/handover');
    const { stdout } = await run(process.execPath, [handover, '--version', '--json'], options);
    const head = (await run('git', ['rev-parse', 'HEAD'], { cwd: root })).stdout.trim();
    expect(JSON.parse(stdout)).toEqual({ version, commit: expect.stringMatching(`^${head}(-changed)?$`) });
    const plain = await run(process.execPath, [handover, '--version'], options);
    expect(plain.stdout).toBe(`${version} (${JSON.parse(stdout).commit})\n`);
    // Data belongs where it was started, unless DATA_DIR says otherwise. This release has no PostgreSQL.
    const failed = await run(process.execPath, [handover, 'org', 'list'], options).catch((error) => error);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('Set DATABASE_URL') });
    expect(await readdir(elsewhere)).toEqual(['data']);
  });

  test('says which Node it needs when there is an older one', async () => {
    const pretend = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '22.17.1' } })`;
    const words = ['--import', pretend, join(folder, 'bin/handover'), 'serve'];
    const failed = await run(process.execPath, words, { env: {} }).catch((error) => error);
    expect(failed).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('Handover needs Node 22.18 or newer, and this is 22.17.1'),
    });
  });
});

async function build(place: string): Promise<string> {
  const { stdout } = await run(process.execPath, ['scripts/release.ts', '--out', place], { cwd: root });
  return stdout.trim();
}
