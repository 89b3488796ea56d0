import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeTemporaryDirectory } from '../../test/temporary-directory.ts';
import { awaitPort } from '../speed/await-port.ts';
import { startServer } from '../speed/server-process.ts';

const KILLED = ['-e', 'process.kill(process.pid)'];

test('a server that a signal ends while it starts is not waited for', async () => {
  const logFile = join(await makeTemporaryDirectory(), 'server.log');
  await expect(startServer({}, logFile, { args: KILLED, env: {} })).rejects.toThrow(/did not start/);
});

test('nor is one that would tell its port', async () => {
  const child = spawn(process.execPath, KILLED, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  await expect(awaitPort(child)).rejects.toThrow('It ended before it listened.');
});
