import { createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, opendir, readdir, readFile, rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncFolder } from '../composition/sync-folder.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { createSealing, openSealing, readText, type Sealing, UNSEALED } from './sealing.ts';
import { TransferError } from './transfer-error.ts';

const MANIFEST = 'manifest.json';
const KEY = 'key.age';
const isManifest = (name: string) => name === MANIFEST || name === `${MANIFEST}.age`;

export interface ExportWriter {
  /** `name` may have folders. The content is on disk when this resolves, and its name when the export is finished. */
  write(name: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** What was written. */
  read(name: string): AsyncIterable<Uint8Array>;
  /** Everything is on disk when this resolves, the manifest after all the rest. */
  finish(manifest: Manifest): Promise<void>;
}

/** A new export in a folder that does not exist or is empty. Without a passphrase, nothing is encrypted. */
export async function createExport(
  path: string,
  passphrase: string | null,
  passphraseWork?: number,
): Promise<ExportWriter> {
  // The system follows links before it goes up: `link/../new` would be made beside the link's target, and written elsewhere.
  const folder = resolve(path);
  const found = await openFolder(folder);
  if (found.length > 0) {
    const isUnfinished = found.some((name) => name === 'tables' || name === KEY) && !found.some(isManifest);
    throw new TransferError(
      'folder-not-empty',
      isUnfinished
        ? `${path} has an export that was interrupted. Remove it, or name another folder.`
        : `${path} is not empty. Name a new folder for each export.`,
    );
  }
  const made = passphrase === null ? null : await createSealing(passphrase, passphraseWork);
  const sealing = made?.sealing ?? UNSEALED;
  if (made) await writeFile(join(folder, KEY), asContent(made.key));
  const write = async (name: string, content: AsyncIterable<Uint8Array>) => {
    const path = join(folder, `${name}${sealing.suffix}`);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, await sealing.seal(content));
  };
  return {
    write,
    read: (name) => readSealed(folder, sealing, name),
    finish: async (manifest) => {
      await write(`${MANIFEST}.new`, asContent(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)));
      const { suffix } = sealing;
      await syncFoldersOf(folder);
      await rename(join(folder, `${MANIFEST}.new${suffix}`), join(folder, `${MANIFEST}${suffix}`));
      await syncFolder(folder);
    },
  };
}

/** What is in the folder, which is made if there is none. Where its name cannot be kept, the export fails now and not at its end. */
async function openFolder(folder: string): Promise<readonly string[]> {
  try {
    const firstMade = await mkdir(folder, { recursive: true, mode: 0o700 });
    if (firstMade !== undefined) await syncParents(folder, firstMade);
    return await readdir(folder);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new TransferError(
      'folder-closed',
      `${folder} cannot be used (${why}). Name one that the user who runs this command may write to.`,
    );
  }
}

/** Brings its own name to the disk, and those of the folders around it that were made for it. */
async function syncParents(folder: string, firstMade: string): Promise<void> {
  const known = dirname(firstMade);
  for (let path = folder; path !== known; path = dirname(path)) await syncFolder(dirname(path));
}

/** Brings the names of everything in it to the disk. */
async function syncFoldersOf(folder: string): Promise<void> {
  for await (const entry of await opendir(folder, { recursive: true })) {
    if (entry.isDirectory()) await syncFolder(join(entry.parentPath, entry.name));
  }
}

export interface ExportReader {
  readonly manifest: Manifest;
  readonly isEncrypted: boolean;
  read(name: string): AsyncIterable<Uint8Array>;
}

/**
 * A finished export. `askPassphrase` is called if it is encrypted. One that `mustBeEncrypted` is refused otherwise: a person who
 * can write to its folder could put another one there, and nobody would be asked for the passphrase.
 */
export async function openExport(
  folder: string,
  askPassphrase: () => Promise<string>,
  mustBeEncrypted = false,
): Promise<ExportReader> {
  if (!(await exists(folder))) throw new TransferError('no-export', `There is no folder ${folder}.`);
  const isEncrypted = await exists(join(folder, KEY));
  if (!(await exists(join(folder, isEncrypted ? `${MANIFEST}.age` : MANIFEST)))) {
    throw new TransferError(
      'no-export',
      `${folder} is not a finished export: it has no manifest. An export that was interrupted has to be made again.`,
    );
  }
  if (mustBeEncrypted && !isEncrypted) {
    throw new TransferError(
      'not-encrypted',
      `${folder} is not encrypted. An export with a passphrase is, and so is that of an organisation: somebody may have put another one there. Nothing was changed. If it is your own export of everything, leave --passphrase-stdin out.`,
    );
  }
  const sealing = isEncrypted
    ? await openSealing(await readFile(join(folder, KEY)), await askPassphrase())
    : UNSEALED;
  if (sealing === null)
    throw new TransferError('wrong-passphrase', 'The export has another passphrase. Try again.');
  const read = (name: string) => readSealed(folder, sealing, name);
  const manifest = readManifest(await readText(read(MANIFEST)));
  return { manifest, isEncrypted, read };
}

async function* readSealed(folder: string, sealing: Sealing, name: string): AsyncGenerator<Uint8Array> {
  const path = join(folder, `${name}${sealing.suffix}`);
  try {
    yield* await sealing.open(createReadStream(path));
  } catch (error) {
    throw new TransferError(
      'damaged',
      `${path} cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
}

export function nameTable(name: string): string {
  return `tables/${name}.copy`;
}

export const SECRET = 'secret';
export const FILE_LIST_NAME = 'files.copy';

export function nameFile(orgId: string, sha256: string): string {
  return `files/${orgId}/${sha256.slice(0, 2)}/${sha256}`;
}

export async function* asContent(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function writeFile(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  return pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
