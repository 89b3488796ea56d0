import pino from 'pino';
import { expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { compose, createFactories, type Infrastructure } from '../src/composition/composition.ts';
import { readSettings } from '../src/settings/settings.ts';

it('every part of the program can be created, and is created once', async () => {
  const read = readSettings({ DATA_DIR: await makeTemporaryDirectory() });
  if ('problems' in read) throw new Error('The settings of a bare start are wrong.');
  const infrastructure: Infrastructure = {
    settings: read.settings,
    databaseUrl: 'postgresql://nobody@127.0.0.1:1/nothing',
    clock: { now: () => new Date() },
    trialSecret: null,
    secrets: ['a-secret-of-at-least-32-characters'],
    platforms: [],
    log: pino({ level: 'silent' }),
  };
  const composition = compose(infrastructure);
  const factories = createFactories(composition.resolve, infrastructure);
  for (const name of Object.keys(factories) as (keyof typeof factories)[]) {
    const part = composition.resolve(name);
    expect([name, part === undefined, composition.resolve(name) === part]).toEqual([name, false, true]);
  }
  await composition.resolve('app').close();
  await composition.resolve('database').close();
});
