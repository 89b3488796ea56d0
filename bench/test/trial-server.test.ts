import { expect, test, vi } from 'vitest';
import { undoLater } from '../../test/undo.ts';
import { startTrialServer } from '../trial-server.ts';

test('a trial server, and a command beside it, know nothing of an installation in the shell of who tries', async () => {
  undoLater(() => vi.unstubAllEnvs());
  vi.stubEnv('SITE_URL', 'https://shop.example');
  vi.stubEnv('OPERATOR_EMAILS', 'not an address');
  const server = await startTrialServer();
  undoLater(server.end);
  expect(server.url).toMatch(/^http:\/\/localhost:\d+$/);
  const { organisations } = await server.run<{ organisations: readonly unknown[] }>(['org', 'list']);
  expect(organisations).toHaveLength(1);
});
