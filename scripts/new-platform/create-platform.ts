import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type CreatePlatformResult =
  | { readonly kind: 'created'; readonly folder: string }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Writes the package of a new platform into the workspace at `root`, and names it to the type checker. What it writes
 * type-checks and fails its contract: every failure says what is to be written next.
 */
export async function createPlatform(root: string, label: string | undefined): Promise<CreatePlatformResult> {
  const reason = findObjection(root, label);
  if (label === undefined || reason !== null) return { kind: 'refused', reason: reason ?? '' };
  const folder = join(PLATFORMS, label);
  for (const path of await listTemplate()) {
    const target = join(root, folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, rename(await readFile(join(TEMPLATE, path), 'utf8'), label));
  }
  for (const name of ['tsconfig.json', 'tsconfig.test.json']) await addReference(join(root, name), folder);
  return { kind: 'created', folder };
}

const TEMPLATE = fileURLToPath(new URL('template', import.meta.url));
const PLATFORMS = 'packages/platform-webhooks';

function findObjection(root: string, label: string | undefined): string | null {
  if (label === undefined) return 'Say how the platform is called: pnpm new-platform cart-b';
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(label) || label.length > 40) {
    return `“${label}” is no label: it stands in webhook addresses, so it is made of small letters, digits and single hyphens, and begins with a letter, such as cart-b.`;
  }
  if (TAKEN.has(label)) return `“${label}” means something else already. Choose another label.`;
  if (existsSync(join(root, PLATFORMS, label))) return `${join(PLATFORMS, label)} exists already.`;
  return null;
}

/** `download-complete` is an address beside those of the platforms; the other is the template's own name. */
const TAKEN: ReadonlySet<string> = new Set(['download-complete', 'new-platform']);

async function listTemplate(): Promise<readonly string[]> {
  const entries = await readdir(TEMPLATE, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(TEMPLATE.length + 1));
}

function rename(text: string, label: string): string {
  const name = label.replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());
  return text.replaceAll('new-platform', label).replaceAll('newPlatform', name);
}

/** Behind the references to the other platforms. */
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
