import pino from 'pino';
import { expect, it } from 'vitest';
import { compose } from '../src/composition/composition.ts';
import { tokens } from '../src/composition/tokens.ts';
import { readSettings } from '../src/settings/settings.ts';
import { makeTemporaryDirectory } from './support/server-process.ts';

it('every part of the program can be created, and is created once', async () => {
  const read = readSettings({ DATA_DIR: await makeTemporaryDirectory() });
  if ('problems' in read) throw new Error('The settings of a bare start are wrong.');
  const composition = compose({
    settings: read.settings,
    databaseUrl: 'postgresql://nobody@127.0.0.1:1/nothing',
    clock: { now: () => new Date() },
    trialSecret: null,
    secrets: ['a-secret-of-at-least-32-characters'],
    platforms: [],
    log: pino({ level: 'silent' }),
  });
  for (const [name, token] of Object.entries(tokens)) {
    const part = composition.resolve<unknown>(token);
    expect([name, part === undefined, composition.resolve<unknown>(token) === part]).toEqual([
      name,
      false,
      true,
    ]);
  }
  await composition.resolve(tokens.app).close();
  await composition.resolve(tokens.database).close();
});
