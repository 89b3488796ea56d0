import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createVitest } from 'vitest/node';

const root = join(import.meta.dirname, '../..');

it('tests run the sources in every environment, and those of the packages nowhere', async () => {
  const vitest = await createVitest('test', { root, watch: false, reporters: [{}] });
  onTestFinished(() => vitest.close());
  const resolved = vitest.projects.map(({ name, vite }) => [
    name,
    ...new Set(
      Object.values(vite.environments).map(({ config }) =>
        config.resolve.conditions.includes('handover-source') ? 'sources' : 'dist',
      ),
    ),
  ]);
  expect(resolved).toEqual([
    ['unit', 'sources'],
    ['db', 'sources'],
    ['packages', 'dist'],
    ['browser', 'sources'],
  ]);
});
