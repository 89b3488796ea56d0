import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const published = globSync(
  ['packages/*/package.json', 'packages/platform-webhooks/*/package.json', 'apps/server/package.json'],
  { cwd: root },
)
  .map((path) => JSON.parse(readFileSync(join(root, path), 'utf8')))
  .filter((manifest) => !manifest.private);

test('every action of a workflow is pinned to a commit', () => {
  const workflows = globSync('.github/workflows/*.yml', { cwd: root });
  const used = workflows.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/uses: *(.*)/g)].map(([, action]) => action),
  );
  expect(used.length).toBeGreaterThanOrEqual(4);
  for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d/);
});

test('published packages have provenance', () => {
  const release = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8');
  expect(release).toMatch(/id-token: write/);
  expect(release).toMatch(/NPM_CONFIG_PROVENANCE: "true"/);
  expect(release).not.toMatch(/secrets\./);
});

test('all packages have one version, and changesets name packages that are published', () => {
  expect(new Set(published.map(({ version }) => version)).size).toBe(1);
  const config = JSON.parse(readFileSync(join(root, '.changeset/config.json'), 'utf8'));
  expect(config).toMatchObject({ fixed: [['@handover/*']], access: 'public' });
  const ours = new Set(published.map(({ name }) => name));
  for (const path of globSync('.changeset/*.md', { cwd: root })) {
    const [, head = ''] = readFileSync(join(root, path), 'utf8').split('---\n');
    const named = [...head.matchAll(/^"(.+)": (?:major|minor|patch)$/gm)].map(([, name]) => name);
    expect(named.length, path).toBe(head.trim().split('\n').length);
    for (const name of named) expect(ours).toContain(name);
  }
});
