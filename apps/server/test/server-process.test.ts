import { expect, it } from 'vitest';
import { spawnServer } from './support/server-process.ts';

it('a line of a server that a signal ends is not waited for', async () => {
  const server = spawnServer({}, ['-e', 'process.kill(process.pid)']);
  await expect(server.waitForLine(/listening/)).rejects.toThrow('The server ended');
});
