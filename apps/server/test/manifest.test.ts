import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { latestSchema } from '@handover/adapters-postgres';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { openExport } from '../src/transfer/export-folder.ts';
import { readFileList } from '../src/transfer/listed-files.ts';
import { type Manifest, readManifest, refuseUnknownSchema } from '../src/transfer/manifest.ts';
import { TransferError } from '../src/transfer/transfer-error.ts';

const HASH = 'a'.repeat(64);
const MEASURE = { rows: 1, bytes: 40, sha256: HASH, rowsHash: HASH };
const MANIFEST: Manifest = {
  format: 'handover-export-1',
  exportedAt: '2026-11-23T08:00:00.000Z',
  program: '1.0.0',
  schema: latestSchema(),
  organisation: null,
  keyNumbers: ['abcd'],
  tables: [{ name: 'users', columns: ['id', 'email'], ...MEASURE }],
  bodyWeeks: [{ table: 'delivery_bodies_w1', bounds: 'FOR VALUES FROM (MINVALUE) TO (1)' }],
  files: { name: 'files', columns: ['org_id', 'sha256', 'size'], ...MEASURE, totalBytes: 9 },
};

function refusal(text: string): TransferError | null {
  try {
    readManifest(text);
    return null;
  } catch (error) {
    if (error instanceof TransferError) return error;
    throw error;
  }
}

it('reads a manifest, of this program and of those that did not divide bodies', () => {
  const { bodyWeeks: _, ...earlier } = MANIFEST;
  for (const manifest of [MANIFEST, earlier])
    expect(readManifest(JSON.stringify(manifest))).toEqual(manifest);
});

it.each<[string, unknown, string]>([
  ['tables/0/rows', '1', 'tables/0/rows must be integer'],
  ['tables/0/bytes', 1e300, 'tables/0/bytes must be <='],
  ['tables/0/rows', -1, 'tables/0/rows must be >='],
  ['tables/0/name', '../../etc/passwd', 'tables/0/name must match pattern'],
  ['tables/0/columns', 'id', 'tables/0/columns must be array'],
  ['tables/0/sha256', 'A', 'tables/0/sha256 must match pattern'],
  ['tables', {}, 'tables must be array'],
  ['files', null, 'files must be object'],
  ['keyNumbers/0', 7, 'keyNumbers/0 must be string'],
  ['organisation', '../..', 'organisation must'],
  ['schema', undefined, 'it must have required properties schema'],
])('refuses a manifest whose %s is %j, and names it', (path, value, message) => {
  const error = refusal(JSON.stringify(replaceAt(MANIFEST, path.split('/'), value)));
  expect([error?.code, error?.message]).toEqual([
    'damaged',
    expect.stringMatching(
      /^manifest\.json of the export is damaged: .* Nothing was changed\. Take another copy/,
    ),
  ]);
  expect(error?.message).toContain(message);
});

it('names the version that made another format, and the place where a text is not JSON', () => {
  expect(refusal('{"format":"handover-export-2"}')?.message).toMatch(/newer version of Handover/);
  expect(refusal('{"format":')).toMatchObject({ code: 'damaged' });
  for (const schema of ['9999-later', 'constructor', 'toString', ''])
    expect(() => refuseUnknownSchema({ ...MANIFEST, schema })).toThrow('newer version of Handover');
});

it('refuses any damaged manifest with an error that names it, or reads one of the right shape', () => {
  const paths = listPaths(MANIFEST);
  expect(paths.length).toBeGreaterThan(30);
  const change = fc.record({
    path: fc.constantFrom(...paths),
    value: fc.oneof(
      fc.jsonValue(),
      fc.constant(undefined),
      fc.constantFrom('../x', '/etc/passwd', 2 ** 53, -0.5),
    ),
  });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), fc.nat(), (changes, cut) => {
      let damaged: unknown = MANIFEST;
      for (const { path, value } of changes) damaged = replaceAt(damaged, path, value);
      const text = JSON.stringify(damaged) ?? '';
      for (const given of [text, text.slice(0, cut % (text.length + 1))]) {
        const error = refusal(given);
        if (error)
          expect(error.message).toMatch(
            /^(manifest\.json of the export is damaged: |The export was made by)/,
          );
        else expectShape(readManifest(given));
      }
    }),
    { numRuns: 500 },
  );
});

function expectShape({ tables, files, organisation, keyNumbers }: Manifest): void {
  for (const { name, columns, rows, bytes } of [...tables, files]) {
    expect(name).toMatch(/^[a-z0-9_]+$/);
    expect(columns.every((column) => /^[a-z0-9_]+$/.test(column))).toBe(true);
    expect([rows, bytes].every((number) => Number.isSafeInteger(number) && number >= 0)).toBe(true);
  }
  expect(Number.isSafeInteger(files.totalBytes)).toBe(true);
  expect(organisation === null || /^[0-9a-f-]{36}$/.test(organisation)).toBe(true);
  expect(keyNumbers.every((number) => typeof number === 'string')).toBe(true);
}

it.each([
  '..\t..\t1',
  `${'a'.repeat(36)}\t../../../../etc/passwd\t1`,
  `${'a'.repeat(36)}\t${HASH}\t1e9`,
  'x',
])('refuses a list of files with %j, since its names are paths', async (row) => {
  const list = async function* () {
    yield Buffer.from(`${row}\n`);
  };
  await expect(readFileList(list()).next()).rejects.toThrow('The list of files of the export is damaged');
});

it('refuses a folder with a damaged manifest before it reads anything else', async () => {
  const folder = join(await makeTemporaryDirectory(), 'export');
  await mkdir(folder);
  await writeFile(join(folder, 'manifest.json'), '[]');
  await expect(openExport(folder, async () => '')).rejects.toThrow('it must be object');
});

type Path = readonly (string | number)[];

function listPaths(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => listPaths(inner, [...path, key]))];
}

function replaceAt(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  if (typeof value !== 'object' || value === null) return value;
  const inner = replaceAt(Reflect.get(value, key), rest, by);
  if (Array.isArray(value)) return value.map((one, at) => (String(at) === key ? inner : one));
  return { ...value, [key]: inner };
}
