import { listBlownUpBodies, listHostileBodies, MAX_BODY } from '../hostile-bodies.ts';
import { BENCH_PLATFORMS, listSamples } from '../sign-body.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';
import { makeBody } from './make-body.ts';
import { mutateBody } from './mutate-body.ts';
import { createRandom, type Random } from './random.ts';
import type { World } from './world.ts';

export interface Route {
  readonly method: string;
  readonly url: string;
}

export interface AttackRequest {
  readonly number: number;
  /** The pattern of the route it is for. */
  readonly route: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  /** Sent slowly, interrupted, or with bytes that no client writes. */
  readonly manner: 'whole' | 'slow' | 'aborted' | 'raw';
  /** Sent while no other request runs, and measured alone. */
  readonly isLarge: boolean;
}

/** One of this many is a signed delivery of a vendor, and one of this many of those has a body of the maximum size. */
const [WEBHOOK_SHARE, LARGE_SHARE] = [4, 60];

/** The request with that number. `salt` distinguishes its orders from those of another run. */
export function makeRequest(
  world: World,
  routes: readonly Route[],
  number: number,
  salt: string,
): AttackRequest {
  const random = createRandom(number);
  return random.oneIn(WEBHOOK_SHARE)
    ? makeWebhook(world, random, number, salt)
    : makeAny(world, random, routes, number);
}

function makeWebhook(world: World, random: Random, number: number, salt: string): AttackRequest {
  const platform = random.pick(BENCH_PLATFORMS);
  const { webhook, sign } = platform;
  const { label } = webhook;
  const orgId = random.oneIn(30) ? world.otherOrgId : world.orgId;
  const sale = {
    orderId: `${number}${salt}`,
    email: `b${number % 50}@buyer.example`,
    sku: 'pads-slug',
    orgId,
  };
  const sample = random.pick(listSamples(platform, sale));
  const isLarge = random.oneIn(LARGE_SHARE);
  const body = isLarge ? makeLargeBody(random, sample) : mutateBody(random, sample);
  const secret = random.oneIn(8) ? random.pick(HOSTILE_TEXTS) || 'x' : (world.secrets[label] ?? '');
  const signed = sign(secret, body);
  const query =
    Object.keys(signed.query).length > 0
      ? `?${new URLSearchParams(signed.query as Record<string, string>)}`
      : '';
  const address = label === 'payments-a' ? `/webhooks/${label}` : `/webhooks/${orgId}/${label}`;
  const headers = toHeaders(signed.headers as Record<string, string>);
  if (random.oneIn(20)) headers['content-type'] = random.pick(TYPES);
  return {
    number,
    route: `POST ${label === 'payments-a' ? `/webhooks/${label}` : `/webhooks/:orgId/${label}`}`,
    method: random.oneIn(40) ? random.pick(METHODS) : 'POST',
    path: `${address}${query}`,
    headers,
    body,
    manner: isLarge ? 'whole' : pickManner(random),
    isLarge,
  };
}

function makeLargeBody(random: Random, sample: Uint8Array): Buffer {
  const text = new TextDecoder().decode(sample);
  const bodies = random.oneIn(2) ? listHostileBodies(MAX_BODY) : listBlownUpBodies(text, MAX_BODY);
  const body = Buffer.from(random.pick(bodies).text());
  return body.subarray(0, MAX_BODY);
}

function makeAny(world: World, random: Random, routes: readonly Route[], number: number): AttackRequest {
  const route = random.pick(routes);
  const method = random.oneIn(12) ? random.pick(METHODS) : route.method;
  const isOther = random.oneIn(8);
  const path = fillPath(world, random, route.url, isOther);
  const attacker = random.pick(world.attackers);
  const headers: Record<string, string> = {};
  addCredentials(random, headers, attacker);
  addOdds(random, headers);
  const mayHaveBody = !['GET', 'HEAD', 'OPTIONS'].includes(method) || random.oneIn(30);
  const token = random.oneIn(6)
    ? random.pick(['', 'x.y', random.pick(world.attackers).csrfToken])
    : attacker.csrfToken;
  if (!random.oneIn(6)) headers['x-form-token'] = token;
  const made = mayHaveBody ? makeBody(world, random, route, token) : null;
  if (made) Object.assign(headers, made.headers);
  const query = random.oneIn(3) ? `?${makeQuery(world, random)}` : '';
  return {
    number,
    route: `${route.method} ${route.url}`,
    method,
    path: `${path}${query}`,
    headers,
    body: made?.body ?? null,
    manner: pickManner(random),
    isLarge: made?.isLarge ?? false,
  };
}

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'SEARCH',
];
const TYPES = [
  '',
  'text/plain',
  'application/json',
  'application/json; charset=utf-16',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'application/x-www-form-urlencoded',
  'application/offset+octet-stream',
  'a/b; c="',
  '/',
];

function pickManner(random: Random): AttackRequest['manner'] {
  if (random.oneIn(300)) return 'slow';
  if (random.oneIn(150)) return 'aborted';
  return random.oneIn(100) ? 'raw' : 'whole';
}

function fillPath(world: World, random: Random, url: string, isOther: boolean): string {
  const path = url
    .replace(/:(\w+)(?:\([^)]*\))?/g, (_, name: string) => fillParameter(world, random, name, isOther))
    .replaceAll('*', () => encodeURIComponent(pickHostile(random)));
  return random.oneIn(60) ? `${path}/${encodeURIComponent(pickHostile(random))}` : path;
}

function fillParameter(world: World, random: Random, name: string, isOther: boolean): string {
  if (random.oneIn(8)) return encodeURIComponent(pickHostile(random));
  const values = isOther && !/token/i.test(name) ? world.otherValues : world.values;
  const stem = name.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const fitting = [...values].filter(([kind]) => kind.includes(stem)).flatMap(([, all]) => all);
  const all = fitting.length > 0 && !random.oneIn(25) ? fitting : [...values.values()].flat();
  return encodeURIComponent(all.length > 0 ? random.pick(all) : pickHostile(random));
}

/** A path longer than any server accepts is useless. */
function pickHostile(random: Random): string {
  return random.pick(HOSTILE_TEXTS).toWellFormed().slice(0, 4000);
}

function makeQuery(world: World, random: Random): string {
  const query = new URLSearchParams();
  for (let count = random.below(4); count >= 0; count -= 1) {
    query.append(
      random.pick(world.names),
      random.oneIn(3) ? random.pick([...world.values.values()].flat()) : pickHostile(random).slice(0, 1500),
    );
  }
  return query.toString();
}

function addCredentials(
  random: Random,
  headers: Record<string, string>,
  attacker: World['attackers'][number],
): void {
  if (!random.oneIn(5)) headers.cookie = attacker.cookie;
  if (random.oneIn(20)) headers.cookie = `handover=${header(random)}; handover-toast=${header(random)}`;
  if (!random.oneIn(5)) headers.authorization = `Bearer ${attacker.key}`;
  else if (random.oneIn(2)) headers['x-api-key'] = random.oneIn(2) ? attacker.key : header(random);
  if (!random.oneIn(8)) headers['sec-fetch-site'] = random.oneIn(8) ? 'cross-site' : 'same-origin';
}

function addOdds(random: Random, headers: Record<string, string>): void {
  while (random.oneIn(3)) {
    const name = random.pick(ODD_HEADERS);
    headers[name] = random.oneIn(3) ? header(random) : random.pick(ODD_VALUES);
  }
  if (random.oneIn(400)) headers['x-long'] = 'a'.repeat(random.pick([8_000, 15_000, 17_000]));
}

const ODD_HEADERS = [
  'range',
  'if-range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'origin',
  'referer',
  'hx-request',
  'hx-target',
  'accept',
  'accept-encoding',
  'accept-language',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-http-method-override',
  'idempotency-key',
  'content-digest',
  'tus-resumable',
  'upload-length',
  'upload-offset',
  'upload-metadata',
  'upload-concat',
  'upload-defer-length',
  'content-encoding',
  'expect',
  'forwarded',
  'user-agent',
];
const ODD_VALUES = [
  'bytes=0-',
  'bytes=-1',
  'bytes=0-0,2-3',
  `bytes=${'0-1,'.repeat(1500)}0-`,
  '1.0.0',
  '0',
  '-1',
  '5',
  '99999999999999999',
  'name YQ==,product YQ==',
  'partial',
  'final;/a /b',
  '1',
  '*',
  'W/"a"',
  'gzip',
  'true',
  'http://evil.example',
  '127.0.0.1',
  'sha-256=:YQ==:',
];

/** As a header can contain it. */
function header(random: Random): string {
  return random
    .pick(HOSTILE_TEXTS)
    .replace(/[^\t\x20-\x7e]/g, '')
    .slice(0, 3000);
}

function toHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace(/[^\t\x20-\x7e]/g, '')]),
  );
}
