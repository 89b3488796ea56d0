import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Alone, with versions of its own, or among the packages of Handover's own repository. */
export type PlatformLayout = 'alone' | 'workspace';

/**
 * Writes the package of a new platform into the folder. What it writes type-checks and fails its contract: every failure
 * says what is to be written next.
 */
export async function writePlatform(folder: string, label: string, layout: PlatformLayout): Promise<void> {
  for (const template of [join(TEMPLATES, 'shared'), join(TEMPLATES, layout)]) {
    for (const path of await listFiles(template)) {
      const target = join(folder, NAMES[path] ?? path);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, rename(await readFile(join(template, path), 'utf8'), label));
    }
  }
  if (layout === 'alone') await addVersions(join(folder, 'package.json'));
}

/** npm packs no .gitignore, and takes a package.json for that of a package. */
const NAMES: Readonly<Record<string, string>> = { gitignore: '.gitignore', 'manifest.json': 'package.json' };

const OWN = fileURLToPath(new URL('..', import.meta.url));
const TEMPLATES = join(OWN, 'template');

async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
}

function rename(text: string, label: string): string {
  const name = label.replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());
  return text.replaceAll('new-platform', label).replaceAll('newPlatform', name);
}

/** What the package runs with and is tried with: those that this one was published with. */
async function addVersions(file: string): Promise<void> {
  const { devDependencies } = JSON.parse(await readFile(join(OWN, 'package.json'), 'utf8'));
  const entries: readonly (readonly [string, string])[] = Object.entries(devDependencies);
  const pick = (isWanted: (name: string) => boolean) =>
    Object.fromEntries(entries.filter(([name]) => isWanted(name)));
  const runs = (name: string) => name === '@handover/platform-contract' || name === 'typebox';
  const manifest = {
    ...JSON.parse(await readFile(file, 'utf8')),
    dependencies: pick(runs),
    devDependencies: pick((name) => !runs(name)),
  };
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`);
}
