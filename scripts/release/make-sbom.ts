import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HeldPackage, keyOf, readPackage } from './held-packages.ts';
import type { Source } from './read-source.ts';

interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly 'bom-ref': string;
}

interface Dependency {
  readonly ref: string;
  readonly dependsOn?: readonly string[];
}

/** The software bill of materials in CycloneDX, by pnpm from the lock file: of what the release holds, and nothing else. */
export function makeSbom(
  root: string,
  held: readonly HeldPackage[],
  { version, commit, madeAt }: Source,
): string {
  const bom = askPnpm(root);
  const keys = new Set(held.map(keyOf));
  const components = bom.components.filter((component) => keys.has(keyOf(fullName(component))));
  const listed = new Set(components.map((component) => keyOf(fullName(component))));
  const missing = [...keys].filter((key) => !listed.has(key));
  if (missing.length > 0) throw new Error(`pnpm’s sbom does not list ${missing.join(', ')}`);
  const refByKey = new Map(components.map((component) => [keyOf(fullName(component)), component['bom-ref']]));
  const refs = new Set(refByKey.values());
  const ref = `pkg:npm/handover@${version}`;
  const ours = held.filter(({ name }) => name.startsWith('@handover/'));
  const dependsOn = new Map(bom.dependencies.map((entry) => [entry.ref, entry.dependsOn ?? []]));
  // pnpm lists a package of the workspace several times, and each time less of what it depends on.
  for (const entry of ours) {
    const keys = listDependencies(entry).map(keyOf);
    dependsOn.set(
      refByKey.get(keyOf(entry)) ?? '',
      keys.map((key) => refByKey.get(key) ?? ''),
    );
  }
  dependsOn.set(
    ref,
    ours.map((entry) => refByKey.get(keyOf(entry)) ?? ''),
  );
  const dependencies = [...dependsOn].map(([from, to]) => ({
    ref: from,
    dependsOn: to.filter((other) => refs.has(other)).sort(),
  }));
  const sorted = {
    ...bom,
    // Of one release, however often it is built.
    serialNumber: `urn:uuid:${uuidOf(`${commit} ${[...keys].sort().join(' ')}`)}`,
    metadata: {
      ...bom.metadata,
      timestamp: madeAt.toISOString(),
      component: {
        type: 'application',
        name: 'handover',
        version,
        purl: ref,
        'bom-ref': ref,
        licenses: [{ license: { id: 'MIT' } }],
        properties: [{ name: 'handover:commit', value: commit }],
      },
    },
    components: components.toSorted((a, b) => compare(a['bom-ref'], b['bom-ref'])),
    dependencies: dependencies
      .filter((entry) => entry.ref === ref || refs.has(entry.ref))
      .toSorted((a, b) => compare(a.ref, b.ref)),
  };
  return `${JSON.stringify(sorted, null, 2)}\n`;
}

function askPnpm(root: string) {
  const folder = mkdtempSync(join(tmpdir(), 'handover-sbom-'));
  try {
    const file = join(folder, 'sbom.json');
    const words = [
      'sbom',
      '--prod',
      '--sbom-format',
      'cyclonedx',
      '--sbom-spec-version',
      '1.6',
      '--out',
      file,
    ];
    execFileSync('pnpm', words, {
      cwd: join(root, 'apps/server'),
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    });
    return JSON.parse(readFileSync(file, 'utf8')) as {
      readonly metadata: object;
      readonly components: readonly Component[];
      readonly dependencies: readonly Dependency[];
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function listDependencies({ directory }: HeldPackage): HeldPackage[] {
  const { dependencies = {} } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  return Object.keys(dependencies).flatMap(
    (name) => readPackage(join(directory, 'node_modules', name)) ?? [],
  );
}

function fullName({ group, name, version }: Component) {
  return { name: group ? `${group}/${name}` : name, version };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** A UUID of these bytes: version 8, whose bits are up to its maker. */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
