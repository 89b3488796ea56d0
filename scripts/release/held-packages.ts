import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A package of which a release holds something. */
export interface HeldPackage {
  readonly name: string;
  readonly version: string;
  readonly directory: string;
}

/** The packages that these files belong to, sorted by name. */
export function listHeldPackages(paths: readonly string[]): HeldPackage[] {
  const byDirectory = new Map<string, HeldPackage | null>();
  const find = (directory: string): HeldPackage | null => {
    const known = byDirectory.get(directory);
    if (known !== undefined) return known;
    const found =
      readPackage(directory) ?? (dirname(directory) === directory ? null : find(dirname(directory)));
    byDirectory.set(directory, found);
    return found;
  };
  // Modules that the bundler makes have no path.
  for (const path of paths.filter((path) => path.startsWith('/'))) find(dirname(path));
  const held = new Map([...byDirectory.values()].flatMap((found) => (found ? [[keyOf(found), found]] : [])));
  return [...held.keys()].sort().flatMap((key) => held.get(key) ?? []);
}

export function keyOf({ name, version }: Pick<HeldPackage, 'name' | 'version'>): string {
  return `${name}@${version}`;
}

/** Null: folders inside a package may have a package.json that only says how their modules are written. */
export function readPackage(directory: string): HeldPackage | null {
  const path = join(directory, 'package.json');
  if (!existsSync(path)) return null;
  const { name, version } = JSON.parse(readFileSync(path, 'utf8'));
  return name && version ? { name, version, directory } : null;
}
