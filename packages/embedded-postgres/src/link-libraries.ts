import { existsSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError, hasCode, whenMissing } from './errors.ts';

/**
 * Makes the links among PostgreSQL's libraries that are missing. npm packs no links, so the package of the programs
 * makes them in an install script, and pnpm runs no such script unasked: https://pnpm.io/cli/approve-builds
 */
export async function linkLibraries(binaries: string): Promise<void> {
  const folder = join(binaries, '..', '..');
  const links = await readLinks(join(folder, 'native', 'pg-symlinks.json'));
  await Promise.all(links.map((link) => makeLink(folder, link)));
}

/** Both are paths from the package's folder: `target` is the link, and `source` is where it leads. */
type Link = { source: string; target: string };

/** None on Windows, and of programs of another make. */
async function readLinks(file: string): Promise<Link[]> {
  return JSON.parse(await readFile(file, 'utf8').catch(whenMissing('[]')));
}

async function makeLink(folder: string, { source, target }: Link): Promise<void> {
  const place = join(folder, target);
  if (existsSync(place)) return;
  try {
    await symlink(join(relative(dirname(target), dirname(source)), basename(source)), place);
  } catch (cause) {
    // Another start makes the same links.
    if (hasCode(cause, 'EEXIST')) return;
    throw new EmbeddedPostgresError(
      'DATABASE_PROGRAMS_DO_NOT_RUN',
      `The install script of PostgreSQL’s package did not run, and its work could not be done now: ${place} could not ` +
        `be linked. ${String(cause)}\nRun: pnpm approve-builds (with npm: npm rebuild). Or set DATABASE_URL to a ` +
        'PostgreSQL server of your own.',
      { cause },
    );
  }
}
