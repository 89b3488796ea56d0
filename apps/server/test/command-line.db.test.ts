import { migrate } from '@handover/adapters-postgres';
import { describe, expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { shareInFile } from '../../../test/undo.ts';
import {
  type CommandOutcome,
  runCli,
  runCliForJson,
  runCliHere,
  spawnServer,
} from './support/server-process.ts';
import { makeOwnerEmail } from './support/shared-server.ts';
import { makeDatabase, makeEmptyDatabase } from './support/shop.ts';

async function makeSettings(databaseUrl: string) {
  const directory = await makeTemporaryDirectory();
  return {
    DATA_DIR: directory,
    PORT: '3000',
    DATABASE_URL: databaseUrl,
    HANDOVER_SECRET: 'a-secret-of-at-least-32-characters',
    FILES_URL: `file://${directory}/files`,
  };
}

const installation = shareInFile(async () => makeSettings(await makeDatabase()));

const createFor = (email: string) => ['org', 'create', '--name', 'Lumen Audio', '--owner-email', email];
const ORG = createFor('owner@lumen.test');
const NOBODY = '01900000-0000-7000-8000-000000000000';

describe('the command line', () => {
  it('makes the tables of an empty database with the first command', async () => {
    const settings = await makeSettings(await makeEmptyDatabase());
    expect(await runCliForJson(settings, ['org', 'list'])).toEqual({ organisations: [], next: null });
  });

  it('prints one object with --json, and nothing else, also right after the database was migrated', async () => {
    const settings = await makeSettings(await makeEmptyDatabase());
    expect(await runCliForJson(settings, ['migrate'])).toMatchObject({
      schema: expect.stringMatching(/^\d{4}-/),
      applied: expect.arrayContaining([expect.objectContaining({ name: '0001-initial', rows: 0 })]),
    });
    const { code, stdout, stderr } = await runCli(settings, [...ORG, '--json']);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({
      orgId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      userId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      apiKey: expect.stringMatching(/^hnd_/),
      signInUrl: expect.stringMatching(/\/dashboard\/sign-in\/[\w-]{68}$/),
    });
    expect(stdout.trim().split('\n')).toHaveLength(1);
  });

  it('migrates with migrate alone: any other command and the server refuse other tables and change nothing', async () => {
    const url = await makeEmptyDatabase();
    await migrate(url, { until: '0001-initial' });
    const settings = await makeSettings(url);
    const refused = expect.stringContaining('Run: handover migrate');
    expect(await runCliHere(settings, ['org', 'list'])).toEqual({ code: 1, stdout: '', stderr: refused });
    const json = await runCliHere(settings, ['org', 'list', '--json']);
    expect([json.code, JSON.parse(json.stdout)]).toEqual([1, { error: refused }]);
    const server = spawnServer(settings);
    expect([await server.ended(), server.printed()]).toEqual([1, refused]);

    const [first, second] = await Promise.all([
      runCliHere(settings, ['migrate']),
      runCliHere(settings, ['migrate']),
    ]);
    expect([first.code, second.code]).toEqual([0, 0]);
    const said = [first.stdout, second.stdout].sort();
    expect(said[0]).toMatch(/^ {2}0002-fewer-indexes {2}\d+\.\d s$/m);
    expect(said[0]).toMatch(/Start or restart the servers now/);
    expect(said[1]).toMatch(/is up to date .*Nothing was changed/);
    expect((await runCliHere(settings, ['org', 'list'])).code).toBe(0);
  });

  it('makes no link while the port is unknown, and says how to fix it', async () => {
    const environment = { ...installation(), PORT: '0' };
    const email = makeOwnerEmail();
    const created = await runCliHere(environment, createFor(email));
    const mending = expect.stringMatching(/set PORT to it, or SITE_URL/);
    expect([created.code, created.stdout]).toEqual([0, mending]);
    expect(created.stdout).not.toContain('localhost:0');

    const asking = ['sign-in-link', '--email', email];
    expect(await runCliHere(environment, asking)).toEqual({ code: 1, stdout: '', stderr: mending });
    const told = { ...environment, SITE_URL: 'http://localhost:8080' };
    expect(await runCliForJson(told, asking)).toEqual({
      signInUrl: expect.stringMatching(/^http:\/\/localhost:8080\/dashboard\/sign-in\//),
    });
  });

  it('prints no webhook URL while the port is unknown', async () => {
    const environment = { ...installation(), PORT: '0' };
    const org = await runCliForJson<{ orgId: string }>(environment, createFor(makeOwnerEmail()));
    expect(org).toMatchObject({ signInUrl: null });
    const words = [
      'integration',
      'set',
      '--org',
      org.orgId,
      '--platform',
      'cart-a',
      '--secret',
      'a-secret-of-the-cart',
    ];
    const said = await runCliHere(environment, words);
    expect(said.stdout).toMatch(/^ {2}\/webhooks\/\S+\/cart-a\?secret=\S+\nWith PORT=0 /m);
    expect(await runCliForJson(environment, words)).toMatchObject({ webhookUrl: null });
    const sending = await runCliHere(environment, ['simulate', 'cart-a', '--org', org.orgId, '--sku', 'x']);
    expect([sending.code, sending.stderr]).toEqual([1, expect.stringMatching(/^With PORT=0 /)]);
  });

  it('prints what happened and what to do next', async () => {
    const email = makeOwnerEmail();
    const { stdout } = await runCliHere(installation(), createFor(email));
    expect(stdout).toContain(`Lumen Audio is set up, and ${email} owns it.`);
    expect(stdout).toMatch(
      /Next: add a product:\n.* product create --org [0-9a-f-]{36} --name 'Halo Pads'$/m,
    );
  });

  it('adds users with and without an organisation', async () => {
    const environment = installation();
    const { orgId } = await runCliForJson<{ orgId: string }>(environment, createFor(makeOwnerEmail()));
    const member = ['user', 'create', '--email', 'm@lumen.test', '--org', orgId, '--role', 'member'];
    expect(await runCliForJson(environment, member)).toEqual({
      userId: expect.any(String),
      apiKey: expect.any(String),
    });
    const loose = ['user', 'create', '--email', 'l@lumen.test'];
    expect(await runCliForJson(environment, loose)).toEqual({
      userId: expect.any(String),
      apiKey: expect.any(String),
    });
  });

  it('takes a secret from standard input, and says how long the former one works', async () => {
    const environment = installation();
    const { orgId } = await runCliForJson<{ orgId: string }>(environment, createFor(makeOwnerEmail()));
    const words = ['integration', 'set', '--org', orgId, '--platform', 'storefront-a'];
    const first = await runCli(environment, [...words, '--secret-stdin'], 'first-secret\n');
    expect(first.stdout).toContain(`/webhooks/${orgId}/storefront-a`);
    expect(first.stdout).not.toContain('first-secret');
    const second = await runCliForJson(environment, [...words, '--secret', 'second-secret']);
    expect(second).toMatchObject({
      connection: 'main',
      formerSecretUntil: expect.any(String),
    });
  });

  it('refuses a secret that is too short, and makes a long one for cart-a', async () => {
    const environment = installation();
    const { orgId } = await runCliForJson<{ orgId: string }>(environment, createFor(makeOwnerEmail()));
    const words = ['integration', 'set', '--org', orgId, '--platform', 'cart-a'];
    const short = await runCliHere(environment, [...words, '--secret', 'fifteen-letters']);
    expect(short.code).toBe(1);
    expect(short.stderr).toContain('--secret must have at least 16 characters: use a generated one.');
    expect(short.stderr).toContain('--generate-secret makes one.');
    const said = await runCliForJson<{ webhookUrl: string; secret: string }>(environment, [
      ...words,
      '--generate-secret',
    ]);
    expect(said).toMatchObject({ secret: expect.stringMatching(/^[\w-]{32}$/), shortSecrets: [] });
    expect(new URL(said.webhookUrl).searchParams.get('secret')).toBe(said.secret);
    const again = await runCliHere(environment, [...words, '--generate-secret']);
    expect(again.stdout).toMatch(/\/cart-a\?secret=[\w-]{32}$/m);
    expect(again.stdout).not.toContain(said.secret);
    const elsewhere = ['integration', 'set', '--org', orgId, '--platform', 'storefront-a'];
    const refused = await runCliHere(environment, [...elsewhere, '--generate-secret']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('cart-a alone')]);
  });

  it.each([
    ['an address that exists', ORG, /Use another address/],
    ['a missing option', ['org', 'create', '--name', 'x'], /--owner-email/],
  ])('refuses %s, says why, and says it as JSON when asked', async (_, words, message) => {
    const environment = installation();
    if (words === ORG) await runCliForJson(environment, ORG);
    await expectRefusal((given) => runCli(environment, given), words, message);
  });

  it.each([
    [
      'a currency that does not exist, before it sets anything',
      ['--secret', 'a-secret-of-lumen', '--default-currency', 'EURO'],
      /--default-currency must be a currency code/,
    ],
    ['rules for a connection that is not there', ['--strict'], /no connection “main” of cart-a/],
  ])('refuses %s, says why, and says it as JSON when asked', async (_, words, message) => {
    const environment = installation();
    const { orgId } = await runCliForJson<{ orgId: string }>(environment, createFor(makeOwnerEmail()));
    const set = ['integration', 'set', '--org', orgId, '--platform', 'cart-a', ...words];
    await expectRefusal((given) => runCliHere(environment, given), set, message);
  });

  // These are refused in the same way, without a process of their own.
  it.each([
    ['a word it does not know', ['orgs', 'create'], /unknown command/],
    ['a platform it does not know', ['simulate', 'ebay', '--org', NOBODY, '--sku', 'x'], /storefront-a/],
    ['half a command', ['secret'], /status|A word is missing/],
    [
      'a wrong address',
      ['org', 'create', '--name', 'x', '--owner-email', 'y'],
      /--owner-email must be an e-mail/,
    ],
    [
      'a currency that is none',
      ['org', 'create', '--name', 'x', '--owner-email', 'y@example.com', '--currency', 'XXX'],
      /--currency must be a currency code/,
    ],
    [
      'an unknown organisation',
      ['integration', 'set', '--org', NOBODY, '--platform', 'storefront-a', '--secret', 'a-secret-of-nobody'],
      /not an organisation/,
    ],
    ['no secret of nobody', ['integration', 'set', '--org', NOBODY, '--platform', 'cart-a'], /org list/],
    ['a list without an end', ['org', 'list', '--limit', '1001'], /--limit must be a whole number/],
    ['products of nobody', ['product', 'list', '--org', NOBODY], /--org .* not an organisation/],
    ['a product of nobody', ['product', 'create', '--org', NOBODY, '--name', 'x'], /not an organisation/],
    ['nothing published', ['product', 'publish', '--org', NOBODY, '--product', 'x'], /not an organisation/],
    ['an unknown product', ['sku', 'map', '--org', NOBODY, '--sku', 'x', '--product', NOBODY], /is not an? /],
    [
      'a role in no organisation',
      ['user', 'create', '--email', 'a@b.c', '--role', 'owner'],
      /--role needs --org/,
    ],
    ['a link for nobody', ['sign-in-link', '--email', 'nobody@example.com'], /is not a user/],
    ['a user of nobody', ['user', 'create', '--email', 'a@b.c', '--org', NOBODY], /--org/],
  ])('refuses %s, says why, and says it as JSON when asked', async (_, words, message) => {
    const environment = installation();
    await expectRefusal((given) => runCliHere(environment, given), words, message);
  });
});

type Run = (words: readonly string[]) => Promise<CommandOutcome>;

async function expectRefusal(run: Run, words: readonly string[], message: RegExp): Promise<void> {
  const [plain, json] = await Promise.all([run(words), run([...words, '--json'])]);
  expect([plain.code, plain.stderr]).toEqual([1, expect.stringMatching(message)]);
  expect(json.code).toBe(1);
  const said = JSON.parse(json.stdout);
  expect(said).toEqual({ error: expect.stringMatching(message) });
  expect(said.error).not.toMatch(/^error/);
}
