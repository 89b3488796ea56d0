import { addProduct, recordSale, setProductStatus } from '../../test/shop-api.ts';
import { BENCH_PLATFORMS, listSamples } from '../sign-body.ts';
import { followSignInLink } from '../sign-in.ts';
import type { TrialServer } from '../trial-server.ts';

/** A marker in everything that belongs to the other organisation, and in no request. */
export const MARKER = 'ZQMARKERQZ';

/** A user of the attacker's organisation, or of none. */
export interface Attacker {
  readonly role: string;
  readonly email: string;
  readonly userId: string;
  key: string;
  cookie: string;
  csrfToken: string;
}

export interface World {
  readonly orgId: string;
  readonly otherOrgId: string;
  readonly attackers: readonly Attacker[];
  readonly secrets: Readonly<Record<string, string>>;
  /** By table or name: values of the attacker's organisation and of the other one. */
  values: ReadonlyMap<string, readonly string[]>;
  otherValues: ReadonlyMap<string, readonly string[]>;
  /** Names of fields, members and parameters in pages and in the API's description. */
  names: readonly string[];
  /** Sessions end, members leave, orders arrive: the world is read again from time to time. */
  refresh(): Promise<void>;
}

export const PAYMENTS_SECRET = 'whsec_bench-secret-of-the-service';

/** Two organisations with rows of every kind; the attacker is any user of the first one. */
export async function openWorld(server: TrialServer): Promise<World> {
  const [demo] = await server.query<{ id: string }>(
    'select id from organisations order by created_at limit 1',
  );
  const orgId = demo?.id ?? '';
  const secrets: Record<string, string> = {};
  for (const { webhook } of BENCH_PLATFORMS) {
    secrets[webhook.label] =
      webhook.label === 'payments-a' ? PAYMENTS_SECRET : `bench-secret-of-${webhook.label}`;
    if (webhook.label === 'payments-a') continue;
    const place = ['--org', orgId, '--platform', webhook.label];
    await server.run(['integration', 'set', ...place, '--secret', secrets[webhook.label] ?? '']);
  }
  const attackers: Attacker[] = [];
  for (const role of ['owner', 'admin', 'member', 'none']) {
    const email = `attacker-${role}@attack.example`;
    const membership = role === 'none' ? [] : ['--org', orgId, '--role', role];
    const words = ['user', 'create', '--email', email, '--name', role, ...membership];
    const { apiKey: key = '', userId = '' } = await server.run(words);
    attackers.push({ role, email, userId, key, cookie: '', csrfToken: '' });
  }
  await fillShop(server, attackers[0]?.key ?? '', 'Pads');
  const otherOrgId = await openOtherShop(server);
  const world: World = {
    orgId,
    otherOrgId,
    attackers,
    secrets,
    values: new Map(),
    otherValues: new Map(),
    names: [],
    refresh: async () => {
      for (const attacker of attackers) await refreshSession(server, attacker);
      world.values = await readValues(server, orgId, await readTokens(server, attackers));
      world.otherValues = await readValues(server, otherOrgId, []);
    },
  };
  await world.refresh();
  world.names = await readNames(server, attackers);
  return world;
}

/** A product with a file, sold to a buyer. */
async function fillShop({ url }: TrialServer, key: string, name: string): Promise<void> {
  const slug = `${name}-slug`.toLowerCase();
  const { id } = await addProduct(url, key, { name, slug, file: Buffer.from(name) });
  await setProductStatus(url, key, id, 'published');
  await recordSale(url, key, id, { name: `${name} Buyer`, email: `${name}@buyer.example`.toLowerCase() });
}

async function openOtherShop(server: TrialServer): Promise<string> {
  const owner = `${MARKER}@owner.example`.toLowerCase();
  const created = await server.run(['org', 'create', '--name', MARKER, '--owner-email', owner]);
  const { orgId = '', apiKey = '' } = created;
  await fillShop(server, apiKey, MARKER);
  const [platform] = BENCH_PLATFORMS;
  if (!platform) return orgId;
  const { label } = platform.webhook;
  const secret = 'secret-of-the-other-shop';
  await server.run(['integration', 'set', '--org', orgId, '--platform', label, '--secret', secret]);
  const sale = { orderId: '5001', email: `${MARKER}@buyer.example`, sku: `${MARKER}-slug`, orgId };
  const [body = new Uint8Array()] = listSamples(platform, sale);
  const { headers } = platform.sign(secret, body);
  await fetch(`${server.url}/webhooks/${orgId}/${label}`, {
    method: 'POST',
    headers,
    body: Buffer.from(body),
  });
  return orgId;
}

async function refreshSession(server: TrialServer, attacker: Attacker): Promise<void> {
  const headers = { authorization: `Bearer ${attacker.key}` };
  if ((await fetch(`${server.url}/api/products`, { headers })).status === 401) {
    const { apiKey = '' } = await server.run(['user', 'refresh-key', '--user', attacker.userId]);
    attacker.key = apiKey;
  }
  const read = () =>
    fetch(`${server.url}/dashboard/products`, { headers: { cookie: attacker.cookie }, redirect: 'manual' });
  let answer = await read();
  if (answer.status === 303 || answer.status === 401) {
    attacker.cookie = await signIn(server, attacker.email).catch(() => '');
    answer = await read();
  }
  const page = await answer.text();
  attacker.csrfToken = /name="(?:form|csrf)-token" (?:value|content)="([^"]+)"/.exec(page)?.[1] ?? '';
}

async function signIn(server: TrialServer, email: string): Promise<string> {
  const { signInUrl = '' } = await server.run(['sign-in-link', '--email', email]);
  return followSignInLink(server.url, signInUrl);
}

/** Ids by table, as far as a table belongs to an organisation. */
async function readValues(
  { query }: TrialServer,
  orgId: string,
  tokens: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const tables = await query<{ table: string }>(
    `select table_name as table from information_schema.columns
     where table_schema = 'public' and column_name in ('org_id', 'id') group by table_name having count(*) = 2`,
  );
  const values = new Map<string, readonly string[]>();
  for (const { table } of tables) {
    const statement = `select id::text from ${table} where org_id = $1 order by id desc limit 12`;
    const rows = await query<{ id: string }>(statement, [orgId]);
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) values.set(table, ids);
  }
  const files = await query<{ name: string }>(
    'select distinct name from version_files where org_id = $1 limit 9',
    [orgId],
  );
  const names = files.map(({ name }) => name);
  values.set('name', names);
  values.set('org', [orgId]);
  const platforms = BENCH_PLATFORMS.map(({ webhook }) => webhook.label);
  values.set('platform', platforms);
  if (tokens.length > 0) values.set('token', tokens);
  return values;
}

async function readTokens({ url }: TrialServer, attackers: readonly Attacker[]): Promise<readonly string[]> {
  for (const { key } of attackers) {
    const answer = await fetch(`${url}/api/purchases`, { headers: { authorization: `Bearer ${key}` } });
    if (!answer.ok) continue;
    const purchases = (await answer.json()) as readonly { readonly downloadUrl: string | null }[];
    return purchases.slice(-20).flatMap(({ downloadUrl }) => downloadUrl?.split('/').at(-1) ?? []);
  }
  return [];
}

/** The names in forms, links and the description of the API. */
async function readNames({ url }: TrialServer, attackers: readonly Attacker[]): Promise<readonly string[]> {
  const names = new Set<string>(['q', 'limit', 'after', 'before', 'sessionId', 'token']);
  const seen = new Set<string>();
  const waiting = ['/dashboard', '/my', '/docs', '/api/openapi.json'];
  const cookie = attackers[0]?.cookie ?? '';
  while (waiting.length > 0 && seen.size < 150) {
    const path = waiting.shift() ?? '';
    if (seen.has(path) || /sign-out|\/d\//.test(path)) continue;
    seen.add(path);
    const answer = await fetch(`${url}${path}`, { headers: { cookie } });
    if (!answer.ok || !/html|json/.test(answer.headers.get('content-type') ?? '')) continue;
    const body = await answer.text();
    for (const [, name = ''] of body.matchAll(/ name="([^"]{1,60})"/g)) names.add(name);
    for (const [, name = ''] of body.matchAll(/"name":"([^"]{1,60})"/g)) names.add(name);
    for (const [, href = ''] of body.matchAll(/(?:href|action|hx-get)="(\/[^"]*)"/g)) {
      const link = href.replaceAll(/&#61;/g, '=').replaceAll('&amp;', '&');
      for (const [name] of new URL(link, url).searchParams) names.add(name);
      if (link.startsWith('/dashboard')) waiting.push(link);
    }
    for (const [, name = ''] of body.matchAll(/"(\w{2,40})":\{"type"/g)) names.add(name);
  }
  return [...names];
}
