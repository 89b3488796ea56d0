import { listHostileBodies, MAX_BODY } from '../hostile-bodies.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';
import type { Route } from './make-request.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

interface MadeBody {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly isLarge: boolean;
}

/** JSON, a form, multipart, a piece of an upload, or other bytes. `token`: the CSRF token of a page of ours. */
export function makeBody(world: World, random: Random, { url }: Route, token: string): MadeBody {
  if (random.oneIn(250)) {
    const body = Buffer.from(random.pick(listHostileBodies(MAX_BODY)).text()).subarray(0, MAX_BODY);
    return { headers: { 'content-type': random.pick(TYPES) }, body, isLarge: true };
  }
  const fields = makeFields(world, random, token);
  const make = url.startsWith('/dashboard')
    ? random.pick([makeForm, makeForm, makeForm, makeMultipart, makeTus])
    : random.pick([makeJson, makeJson, makeForm, makeMultipart, makeRaw, makeTus]);
  const { type, body, headers = {} } = make(random, fields);
  const isCut = random.oneIn(12);
  return {
    headers: { 'content-type': random.oneIn(15) ? random.pick(TYPES) : type, ...headers },
    body: Buffer.from(isCut ? body.slice(0, random.below(body.length + 1)) : body),
    isLarge: false,
  };
}

const TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=b',
  'application/offset+octet-stream',
  'text/plain',
  'application/xml',
];

type Fields = readonly (readonly [name: string, value: string])[];

function makeFields(world: World, random: Random, token: string): Fields {
  const values = [...world.values.values()].flat();
  const count = random.pick([1, 3, 8, 20]);
  const fields = Array.from({ length: count }, () => {
    const value = random.oneIn(2)
      ? random.pick(PLAUSIBLE)
      : random.oneIn(2)
        ? random.pick(values)
        : random.pick(HOSTILE_TEXTS);
    return [random.pick(world.names), value] as const;
  });
  return random.oneIn(5) ? fields : [['form-token', token], ...fields];
}

const PLAUSIBLE = [
  'Pads',
  'pads-slug',
  'draft',
  'published',
  'archived',
  'new',
  'true',
  '49.00',
  'EUR',
  'custom',
  'a@b.example',
  '1.0',
  '2.0',
  'storefront-a',
  'secret-of-some-shop',
  '2026-01-01',
  'admin',
  'member',
];

interface Made {
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function makeJson(random: Random, fields: Fields): Made {
  const value = random.oneIn(6)
    ? random.pick([null, [], 'text', 5, [fields], { a: fields }])
    : Object.fromEntries(fields);
  return { type: 'application/json', body: JSON.stringify(value) };
}

function makeForm(_random: Random, fields: Fields): Made {
  const pairs = fields.map(([name, value]): [string, string] => [name, value.toWellFormed()]);
  return { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(pairs).toString() };
}

function makeMultipart(random: Random, fields: Fields): Made {
  const boundary = random.oneIn(10) ? random.pick(['', 'b b', 'b'.repeat(80)]) : 'b0undary';
  const parts = fields.map(([name, value]) => {
    const file = random.oneIn(4) ? `; filename="${random.pick(HOSTILE_TEXTS).slice(0, 300)}"` : '';
    return `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
  });
  return { type: `multipart/form-data; boundary=${boundary}`, body: `${parts.join('')}--${boundary}--\r\n` };
}

function makeRaw(random: Random): Made {
  return { type: 'application/octet-stream', body: random.pick(HOSTILE_TEXTS) };
}

function makeTus(random: Random): Made {
  const number = () => random.pick(['0', '1', '5', '100', '-1', 'x', '99999999999999999999']);
  const name = Buffer.from(random.pick(HOSTILE_TEXTS).slice(0, 500)).toString('base64');
  const headers = {
    'tus-resumable': '1.0.0',
    'upload-length': number(),
    'upload-offset': number(),
    'upload-metadata': random.pick([
      `filename ${name}`,
      `filename ${name},product YQ==`,
      ',,,',
      'a b c',
      name,
    ]),
  };
  return {
    type: 'application/offset+octet-stream',
    body: random.pick(['', 'a', 'abcde', 'a'.repeat(200)]),
    headers,
  };
}
