import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { buildProgram } from '../src/cli/program.ts';
import { openDatabase } from './support/open-database.ts';
import { runCliForJson, runCliHere } from './support/server-process.ts';
import { openOwnShop, type RunningShop, shareServer } from './support/shared-server.ts';

const shared = shareServer();

interface Row {
  readonly kind: string;
  readonly actor: string | null;
  readonly via: string;
  readonly via_detail: string | null;
  readonly summary: string;
}

async function readEntries({ environment }: RunningShop, orgId: string): Promise<readonly Row[]> {
  const database = await openDatabase(environment.DATABASE_URL);
  const { rows } = await database.query<Row>(
    'select kind, actor, via, via_detail, summary from activity where org_id = $1 order by id',
    [orgId],
  );
  return rows;
}

/** The words of each command, and the text of its entry. */
type Change = (
  shop: RunningShop,
) => Promise<{ readonly words: readonly string[]; readonly summary: RegExp; readonly more?: RegExp }>;

const SECRET = 'a-secret-of-32-characters-at-least';
const ACCOUNT = 'acct_activity';

const COMMANDS: Readonly<Record<string, Change>> = {
  'org subscription': async ({ shop }) => ({
    words: ['--org', shop.orgId, '--expires-at', '2099-01-01T00:00:00Z'],
    summary: /^The subscription lasts until 2099-01-01T00:00:00.000Z\.$/,
  }),
  'user create': async ({ shop, ownerEmail }) => ({
    words: ['--email', `new-${ownerEmail}`, '--org', shop.orgId, '--role', 'admin'],
    summary: /^new-owner-\d+@lumen\.test was added as admin\.$/,
  }),
  'user refresh-key': async ({ environment, shop }) => {
    const [user] = await findUsers(environment.DATABASE_URL ?? '', shop.orgId);
    return {
      words: ['--user', user?.id ?? ''],
      summary: /^owner-\S+ has a new API key; the one before is invalid\.$/,
    };
  },
  'integration set': async ({ shop }) => ({
    words: ['--org', shop.orgId, '--platform', 'cart-a', '--secret', SECRET, '--ignore-test-orders'],
    summary: /^SamCart, “main”: The secret was set\. Test orders are ignored\.$/,
  }),
  'integration add-secret': async ({ shop }) => ({
    words: ['--org', shop.orgId, '--platform', 'storefront-b', '--secret', SECRET],
    summary: /^WooCommerce, “main”: A secret was added\.$/,
  }),
  'account map': async ({ shop }) => ({
    words: ['--org', shop.orgId, '--account', ACCOUNT],
    summary: /^Account acct_activity of Stripe was mapped to this organisation\.$/,
  }),
  'account unmap': async ({ environment, shop }) => {
    const account = 'acct_gone';
    await runCliForJson(environment, ['account', 'map', '--org', shop.orgId, '--account', account]);
    return {
      words: ['--account', account],
      summary: /^Account acct_gone of Stripe is no longer mapped to this organisation\.$/,
    };
  },
  'sku map': async ({ shop }) => ({
    words: ['--org', shop.orgId, '--sku', 'PADS-9', '--product', shop.productId],
    summary: /^pads-9 now delivers Felt Piano\.$/,
  }),
  'sku ignore': async ({ shop }) => ({
    words: ['--org', shop.orgId, '--sku', 'MUG', '--platform', 'storefront-a'],
    summary: /^mug of Shopify is ignored\.$/,
  }),
  'sign-in-link': async ({ ownerEmail }) => ({
    words: ['--email', ownerEmail],
    summary: /^A sign-in link for owner-\S+ was issued by command line\.$/,
  }),
  'product create': async ({ shop }) => ({
    words: ['--org', shop.orgId, '--name', 'Glass Pads'],
    summary: /^Glass Pads: added\.$/,
  }),
  'product publish': async ({ environment, shop }) => {
    const words = ['product', 'create', '--org', shop.orgId, '--name', 'Night Pads'];
    await runCliForJson(environment, words);
    return {
      words: ['--org', shop.orgId, '--product', 'night-pads'],
      summary: /^Night Pads: published\.$/,
    };
  },
  'product upload': async ({ shop }) => {
    const path = join(await makeTemporaryDirectory(), 'felt.zip');
    await writeFile(path, 'bytes');
    return {
      words: ['--org', shop.orgId, '--product', shop.productId, '--version', '2.0', path],
      summary:
        /^Felt Piano: the command line uploads felt\.zip into version 2\.0, with an owner’s API key\.$/,
      more: /^Felt Piano: felt\.zip added\.$/,
    };
  },
};

/** Commands that write no entry, each with the reason. */
const WITHOUT_ENTRY: Readonly<Record<string, string>> = {
  'backup verify': 'Only looks.',
  'database distribute': 'Moves tables to other nodes, and changes no shop.',
  'database upgrade': 'Moves the files of the database to another version, and changes no shop.',
  doctor: 'Only looks, and mails itself if asked to.',
  export: 'Only looks: it writes a file of the operator.',
  import: 'Brings the activity log of the export with everything else.',
  migrate: 'Changes tables, and no shop.',
  'integration list': 'Only looks.',
  'org list': 'Only looks.',
  'product list': 'Only looks.',
  'sku list': 'Only looks.',
  'user list': 'Only looks.',
  'unassigned list': 'Only looks.',
  'unassigned run': 'Each order that it moves has its own entry in the webhook log.',
  'secret status': 'Only looks.',
  serve: 'Starts the server: what comes in has entries of its own.',
  simulate: 'Sends a signed order to a webhook: what comes of it is in the webhook log.',
  version: 'Only looks.',
};

async function findUsers(url: string, orgId: string): Promise<readonly { readonly id: string }[]> {
  const database = await openDatabase(url);
  return (await database.query<{ id: string }>('select id from users where org_id = $1', [orgId])).rows;
}

function listCommands(command: Command, words: readonly string[] = []): readonly string[] {
  if (command.commands.length === 0) return [words.join(' ')];
  return command.commands.flatMap((child) => listCommands(child, [...words, child.name()]));
}

describe('every command that changes something', () => {
  it('is listed here, with its change or with the reason why it has no entry', () => {
    const known = [...Object.keys(COMMANDS), ...Object.keys(WITHOUT_ENTRY), 'org create'];
    expect([...listCommands(buildProgram({}))].sort()).toEqual(known.sort());
  });

  it('org create: begins the log of the organisation', async () => {
    const shop = await openOwnShop(shared());
    const [created] = await readEntries(shop, shop.shop.orgId);
    expect(created).toMatchObject({ kind: 'organisation-changed', actor: null, via: 'command-line' });
    expect(created?.summary).toBe(`Lumen Audio was set up, and ${shop.ownerEmail} owns it.`);
  });

  it.each(Object.entries(COMMANDS))('%s: writes one entry', async (command, change) => {
    const opened = await openOwnShop(shared());
    const { words, summary, more } = await change(opened);
    const before = await readEntries(opened, opened.shop.orgId);
    const environment = { ...opened.environment, SITE_URL: opened.server.url };
    await runCliForJson(environment, [...command.split(' '), ...words]);
    const added = (await readEntries(opened, opened.shop.orgId)).slice(before.length);
    const [entry, ...others] = added;
    expect(entry).toMatchObject({ actor: null, via: 'command-line', via_detail: null });
    expect(entry?.summary).toMatch(summary);
    expect(others.map((other) => other.summary)).toEqual(more ? [expect.stringMatching(more)] : []);
    expect(JSON.stringify(added)).not.toContain(SECRET);
  });

  it('leaves no entry when it is refused', async () => {
    const opened = await openOwnShop(shared());
    const { orgId } = opened.shop;
    const before = await readEntries(opened, orgId);
    const rules = ['--org', orgId, '--platform', 'cart-a', '--name', 'other', '--strict'];
    for (const words of [
      ['integration', 'set', ...rules],
      ['sku', 'map', '--org', orgId, '--sku', 'X', '--product', orgId],
      ['user', 'create', '--email', opened.ownerEmail, '--org', orgId],
    ]) {
      expect((await runCliHere(opened.environment, words)).code).toBe(1);
    }
    expect(await readEntries(opened, orgId)).toEqual(before);
  });
});

it('a command that sets the rules which a connection has already leaves no entry', async () => {
  const opened = await openOwnShop(shared());
  const { orgId } = opened.shop;
  const set = (words: readonly string[]) =>
    runCliForJson(opened.environment, [
      ...['integration', 'set', '--org', orgId, '--platform', 'cart-a'],
      ...words,
    ]);
  await set(['--secret', SECRET, '--ignore-test-orders']);
  const before = await readEntries(opened, orgId);
  expect(await set(['--ignore-test-orders'])).toMatchObject({ rules: { ignoreTestOrders: true } });
  expect(await readEntries(opened, orgId)).toEqual(before);
});

describe('a change by API key, on PostgreSQL', () => {
  it('names its user and the ends of the key', async () => {
    const opened = await openOwnShop(shared());
    const { apiKey, orgId } = opened.shop;
    const entries = await readEntries(opened, orgId);
    const added = entries.find(({ summary }) => summary === 'Felt Piano: added.');
    expect(added).toMatchObject({
      actor: opened.ownerEmail,
      via: 'api-key',
      via_detail: `hnd_…${apiKey.slice(-4)}`,
    });
    expect(JSON.stringify(entries)).not.toContain(apiKey);
  });

  it('has one entry, however many requests make it at once', async () => {
    const opened = await openOwnShop(shared());
    const { apiKey, orgId, productId } = opened.shop;
    const call = (method: string, path: string, type: string, body?: string) =>
      fetch(`${opened.server.url}/api/products/${productId}${path}`, {
        method,
        headers: { 'x-api-key': apiKey, ...(body !== undefined && { 'content-type': type }) },
        ...(body !== undefined && { body }),
      });
    const made = await call('POST', '/versions', 'application/json', '{"version":"3.0"}');
    const { id }: { id: string } = JSON.parse(await made.text());
    await call('PUT', `/versions/${id}/files/a.zip`, 'application/octet-stream', 'content');
    const atOnce = async (press: () => Promise<Response>) => {
      const known = (await readEntries(opened, orgId)).length;
      const answers = await Promise.all(Array.from({ length: 8 }, press));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      return (await readEntries(opened, orgId)).slice(known).map(({ summary }) => summary);
    };
    expect(await atOnce(() => call('POST', `/versions/${id}/activate`, 'none'))).toEqual([
      'Felt Piano: version 3.0 made live.',
    ]);
    expect(await atOnce(() => call('PUT', '', 'application/json', '{"name":"Grand"}'))).toEqual([
      'Grand: renamed from “Felt Piano”.',
    ]);
  });

  it('is undone when its entry cannot be written, and so is a command', async () => {
    const opened = await openOwnShop(shared());
    const { apiKey, orgId, productId } = opened.shop;
    const database = await openDatabase(opened.environment.DATABASE_URL);
    const state = async () => {
      const { rows } = await database.query(
        `select
          (select json_agg(products order by id) from products where org_id = $1) as products,
          (select json_agg(product_versions order by id) from product_versions where org_id = $1) as versions,
          (select json_agg(sku_mappings order by sku) from sku_mappings where org_id = $1) as mappings,
          (select json_agg(activity order by id) from activity where org_id = $1) as activity`,
        [orgId],
      );
      return rows;
    };
    const call = async (method: string, path: string, body: object) => {
      const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
      return (await fetch(`${opened.server.url}/api${path}`, { method, headers, body: JSON.stringify(body) }))
        .status;
    };
    const before = await state();
    await database.query(`
      create function refuse_entry() returns trigger language plpgsql as
        $$ begin if new.org_id = '${orgId}' then raise exception 'No entry today.'; end if; return new; end $$;
      create trigger refuse_entry before insert on activity for each row execute function refuse_entry();
    `);
    expect(await call('POST', '/products', { name: 'Keys', slug: 'keys' })).toBe(500);
    expect(await call('PUT', `/products/${productId}`, { name: 'Renamed' })).toBe(500);
    expect(await call('POST', `/products/${productId}/versions`, { version: '3.0' })).toBe(500);
    expect(await call('PUT', '/sku-mappings/PADS-9', { productId })).toBe(500);
    const ignored = await runCliHere(opened.environment, ['sku', 'ignore', '--org', orgId, '--sku', 'MUG']);
    expect(ignored.code).toBe(1);
    expect(await state()).toEqual(before);

    await database.query('drop trigger refuse_entry on activity; drop function refuse_entry');
    expect(await call('POST', '/products', { name: 'Keys', slug: 'keys' })).toBe(201);
    const entries = await readEntries(opened, orgId);
    expect(entries.at(-1)?.summary).toBe('Keys: added.');
  });
});
