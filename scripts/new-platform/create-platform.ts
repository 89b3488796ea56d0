import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findLabelObjection, writePlatform } from '../../packages/create-platform/src/index.ts';

export type CreatePlatformResult =
  | { readonly kind: 'created'; readonly folder: string }
  | { readonly kind: 'refused'; readonly reason: string };

/** Writes the package of a new platform into the workspace at `root`, and names it to the type checker. */
export async function createPlatform(root: string, label: string | undefined): Promise<CreatePlatformResult> {
  const reason = findObjection(root, label);
  if (label === undefined || reason !== null) return { kind: 'refused', reason: reason ?? '' };
  const folder = join(PLATFORMS, label);
  await writePlatform(join(root, folder), label, 'workspace');
  for (const name of ['tsconfig.json', 'tsconfig.test.json']) await addReference(join(root, name), folder);
  return { kind: 'created', folder };
}

const PLATFORMS = 'packages/platform-webhooks';

function findObjection(root: string, label: string | undefined): string | null {
  if (label === undefined) return 'Say how the platform is called: pnpm new-platform cart-b';
  const folder = join(PLATFORMS, label);
  return findLabelObjection(label) ?? (existsSync(join(root, folder)) ? `${folder} exists already.` : null);
}

/** After the references to the other platforms. */
async function addReference(file: string, folder: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  const last = [...text.matchAll(/ {4}\{\n {6}"path": "packages\/platform-webhooks\/[^"]+"\n {4}\},\n/g)].at(
    -1,
  );
  if (!last) throw new Error(`${file} refers to no platform.`);
  const at = last.index + last[0].length;
  const reference = `    {\n      "path": "${folder}"\n    },\n`;
  await writeFile(file, text.slice(0, at) + reference + text.slice(at));
}
