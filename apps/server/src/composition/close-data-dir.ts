import { chmodSync, type Dir, lstatSync, opendirSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Logger } from 'pino';
import type { Settings } from '../settings/settings.ts';

/** The names of this program's files in DATA_DIR. */
const OURS = /^(secret|demo\.json.*|uploads-begun\.json.*|lock|mail|files|staged|postgres)$/;
/** Names that do not make DATA_DIR foreign: `.secret-…`, `.gitkeep`, files of a disk's root. */
const NOBODYS = /^(\..*|lost\+found)$/;

const OTHERS = 0o077;
/** For root, PostgreSQL runs as another user, who may need to pass through DATA_DIR (`choose-run-as.ts`). */
const PASSAGE = 0o010;

/** New files of this process, including those of libraries, are for its own user: directories 0700, files 0600. */
export function createPrivately(): void {
  process.umask(OTHERS);
}

/**
 * Removes other users' rights in DATA_DIR: former versions, or restored backups, may have left it open. PostgreSQL
 * manages its own files. Foreign files are left alone, and so is DATA_DIR itself if it contains any: closing /srv or
 * a home directory to its other users would do more harm than good.
 */
export function closeDataDir(settings: Pick<Settings, 'dataDir' | 'files'>, log: Logger): void {
  if (process.platform === 'win32') return;
  // A file of somebody's, named by mistake, is left as it is: opening the database says what is wrong.
  if (!statSync(settings.dataDir, { throwIfNoEntry: false })?.isDirectory()) return;
  const dataDir = realpathSync(settings.dataDir);
  const { files } = settings;
  const names = [...listNames(dataDir)];
  const [filesName = ''] =
    files.kind === 'disk' ? relative(settings.dataDir, files.directory).split(sep) : [];
  const isOurs = (name: string) => OURS.test(name) || name.startsWith('.secret-') || name === filesName;
  const found: Found = { closed: 0, left: [] };
  const foreign = names.filter((name) => !isOurs(name) && !NOBODYS.test(name));
  for (const name of names.filter(isOurs)) closeTree(join(dataDir, name), found);
  if (foreign.length === 0) closeOne(dataDir, found, process.geteuid?.() === 0 ? PASSAGE : 0);
  else if (isOpen(dataDir)) {
    log.warn(
      { dataDir, foreign: foreign.slice(0, 5) },
      'DATA_DIR is open to other users, and is left so, because it holds other things; give Handover one of its own',
    );
  }
  if (found.closed > 0) {
    log.info({ count: found.closed }, 'closed what was open to other users in DATA_DIR (now 0700 and 0600)');
  }
  if (found.left.length > 0) {
    log.warn(
      { paths: found.left.slice(0, 5), count: found.left.length },
      'could not close these to other users: they belong to another',
    );
  }
}

interface Found {
  closed: number;
  readonly left: string[];
}

function closeTree(path: string, found: Found): void {
  const isDirectory = closeOne(path, found);
  if (!isDirectory || path.endsWith(join('postgres', 'data'))) return;
  for (const name of listNames(path)) closeTree(join(path, name), found);
}

/** Returns whether it is a directory. A symbolic link and its target are left unchanged. */
function closeOne(path: string, found: Found, allowed = 0): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats || !(stats.isDirectory() || stats.isFile())) return false;
  if ((stats.mode & OTHERS & ~allowed) !== 0) {
    try {
      chmodSync(path, stats.isDirectory() ? 0o700 : 0o600);
      found.closed += 1;
    } catch {
      found.left.push(path);
    }
  }
  return stats.isDirectory();
}

function isOpen(path: string): boolean {
  return ((lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0;
}

/** Empty if there is no directory, or it is not readable. */
function* listNames(path: string): Iterable<string> {
  let directory: Dir;
  try {
    directory = opendirSync(path);
  } catch {
    return;
  }
  try {
    for (let entry = directory.readSync(); entry; entry = directory.readSync()) yield entry.name;
  } finally {
    directory.closeSync();
  }
}
