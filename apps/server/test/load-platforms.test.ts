import { fileURLToPath } from 'node:url';
import type { PlatformWebhook } from '@handover/platform-contract';
import { storefrontA } from '@handover/platform-storefront-a';
import { expect, it } from 'vitest';
import { loadPlatforms } from '../src/composition/load-platforms.ts';
import { runCliHere } from './support/server-process.ts';

const example = fileURLToPath(new URL('../../../examples/own-platform/src/index.ts', import.meta.url));
const platform: PlatformWebhook = { ...storefrontA, label: 'bazaar' };

/** Loads what a module of this content would be. */
const load = (exports: object, source = '@acme/handover-bazaar') =>
  loadPlatforms([source], async () => exports);

it('takes the default export, or the one object of a module', async () => {
  await expect(load({ default: platform })).resolves.toMatchObject([{ label: 'bazaar' }]);
  await expect(load({ bazaar: platform, sign: () => '' })).resolves.toMatchObject([{ label: 'bazaar' }]);
  await expect(loadPlatforms([example])).resolves.toMatchObject([{ label: 'gumtree' }]);
});

it.each<[string, object, RegExp]>([
  ['exports no platform', { a: platform, b: platform }, /needs to export a platform .*, as default or alone/],
  ['has no label', { default: { ...platform, label: undefined } }, /needs a “label” of up to 40 lower-case/],
  [
    'has a label that is not a path segment',
    { default: { ...platform, label: 'Ba/zaar' } },
    /such as gumtree-a/,
  ],
  ['has a label of ours', { default: storefrontA }, /needs another “label”: storefront-a is taken/],
  ['has a label that stands for sales by hand', { default: { ...platform, label: 'api' } }, /api is taken/],
  ['cannot verify', { default: { ...platform, verify: 1 } }, /needs the function “verify”/],
  [
    'lacks two members',
    { default: { ...platform, parse: 1, translate: 2 } },
    /“parse”; needs the function “translate”/,
  ],
  [
    'says not when it answers',
    { default: { ...platform, answers: 'soon' } },
    /“answers” to be after-fulfilment/,
  ],
  [
    'names headers in capitals',
    { default: { ...platform, keptHeaders: ['X-Topic'] } },
    /“keptHeaders” to list/,
  ],
  [
    'says not where its credential is',
    { default: { ...platform, credential: {} } },
    /needs “credential” to name/,
  ],
  ['has an empty name', { default: { ...platform, name: '' } }, /needs “name” to be a text/],
  [
    'has a sample that signs nothing',
    { default: { ...platform, sample: {} } },
    /needs “sample” to have the function/,
  ],
  [
    'lets strangers in',
    { default: { ...platform, verify: () => ({ kind: 'verified' }) } },
    /“verify” to refuse/,
  ],
])('refuses a package that %s', async (_, exports, problem) => {
  await expect(load(exports)).rejects.toMatchObject({
    code: 'platform-setting',
    message: expect.stringMatching(/^PLATFORMS names @acme\/handover-bazaar, which needs /),
  });
  await expect(load(exports)).rejects.toThrow(problem);
});

it('refuses two packages with one label', async () => {
  const both = loadPlatforms([platform, platform]);
  await expect(both).rejects.toThrow(
    'PLATFORMS names “bazaar”, which needs another “label”: bazaar is taken',
  );
});

it.each<[string, unknown, string]>([
  [
    'text of several lines that would change the terminal',
    new Error('\u001b[2J\u001b[31mNo licence.\u001b[0m\r\nBuy one: \u202egnp.exe\u0000'),
    'No licence. Buy one: gnp.exe',
  ],
  ['a very long text', new Error('x'.repeat(100_000)), `${'x'.repeat(300)}…`],
  ['what cannot be a text', Object.create(null), 'It gave no reason.'],
  [
    'an error whose message throws',
    Object.defineProperty(new Error(), 'message', {
      get: () => {
        throw new Error('again');
      },
    }),
    'It gave no reason.',
  ],
  ['nothing', undefined, 'undefined'],
])('says in one safe line why a package that throws %s cannot be loaded', async (_, thrown, said) => {
  const loading = loadPlatforms(['@acme/handover-bazaar'], () => Promise.reject(thrown));
  const message = await loading.catch((error: Error) => error.message);
  expect(message).toMatch(
    /^PLATFORMS names @acme\/handover-bazaar, which could not be loaded\. Install it .*/,
  );
  expect(String(message).endsWith(` “./” or “/”. ${said}`)).toBe(true);
});

it.each(['serve', 'org'])('%s says which package cannot be loaded, and what to do', async (word) => {
  const outcome = await runCliHere({ PLATFORMS: '@acme/handover-nowhere' }, [word]);
  expect(outcome).toMatchObject({ code: 1, stdout: '' });
  expect(outcome.stderr).toContain(
    'PLATFORMS names @acme/handover-nowhere, which could not be loaded. Install it in the directory',
  );
});

it('reports every platform that cannot be loaded, together with the other wrong settings', async () => {
  const wrong = { PLATFORMS: '@acme/handover-nowhere,./nothing.js,', PORT: 'x' };
  const { stderr } = await runCliHere(wrong, ['serve']);
  expect(
    stderr
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/ which could not.*| must .*/, '')),
  ).toEqual([
    '4 settings need you:',
    '  PORT',
    '  PLATFORMS',
    '  PLATFORMS names @acme/handover-nowhere,',
    '  PLATFORMS names ./nothing.js,',
  ]);
});
