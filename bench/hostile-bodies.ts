/** The maximum body size of webhooks. */
export const MAX_BODY = 5 * 1024 * 1024;

/** A body that is designed to keep the server busy. */
export interface HostileBody {
  readonly name: string;
  /** Built on demand: there are hundreds. */
  text(): string;
}

/** Bodies in no platform's format, up to that many bytes. */
export function listHostileBodies(size: number): readonly HostileBody[] {
  const times = (piece: string, most = Number.POSITIVE_INFINITY) =>
    piece.repeat(Math.min(most, Math.floor((size - 100) / piece.length)));
  const body = (name: string, text: () => string): HostileBody => ({ name, text });
  return [
    body('lists in lists', () => times('[')),
    body('lists in lists, with an end', () => times('[]').replaceAll('][', '[').slice(0, size)),
    body('empty objects', () => `[${times('{},')}{}]`),
    body('as many objects as are let in', () => `[${times('{},', 49_000)}{}]`),
    body('as many numbers', () => `[${times('1.25,', 99_000)}1]`),
    body('as many long numbers', () => `[${times('12345678901234.25,', 99_000)}1]`),
    body('as many texts', () => `[${times('"abc def",', 99_000)}1]`),
    body('as many names', () => `[${nameMembers(9_900)}${times('{"n1":1},', 40_000)}{}]`),
    body('more names', () => `[${nameMembers(200_000)}{}]`),
    body('one number', () => `{"id":${times('9')}}`),
    body('one text', () => `{"id":"${times('a')}"}`),
    body('one text, all escaped', () => `{"id":"${times('\\u00e9')}"}`),
    body('one text of blanks', () => `{"id":"${times(' ')}x"}`),
    body('one text of control characters', () => `{"id":"${times('\\u0007')}x"}`),
    body('blanks', () => `${times(' ')}{}`),
    body('quotes', () => times('"')),
    body('backslashes', () => `"${times('\\')}`),
    body('addresses', () => `{"note":"${times('a@')}"}`),
    body('signs', () => times('=…"')),
    body('a form of many pairs', () => times('a=1&')),
    body('a form of as many as are let in', () => times('a%5Bb%5D%5Bc%5D=%20%20%20&', 999)),
    body('a form of long pairs', () => times(`${'%20'.repeat(1700)}=${'+'.repeat(1000)}&`, 999)),
    body('a form of one deep name', () => `a${times('[0]')}=1`),
    body('a form of one name of brackets', () => `${times('[')}=1`),
    body('a form of numbered names', () =>
      Array.from({ length: 990 }, (_, at) => `a[${at}][${at}]=1`).join('&'),
    ),
    body('nothing but zeros', () => '\0'.repeat(size)),
    body('elements', () => times('<token>')),
  ];
}

/** Bodies in a platform's format: each value of a genuine one enlarged, and each list repeated. */
export function listBlownUpBodies(sample: string, size: number): readonly HostileBody[] {
  if (!sample.startsWith('{')) return blowUpForm(sample, size);
  const root: unknown = JSON.parse(sample);
  const room = size - sample.length - 100;
  const bodies: HostileBody[] = [];
  for (const path of listPaths(root)) {
    const value = valueAt(root, path);
    const name = path.join('.');
    const put = (kind: string, text: () => string) => {
      const whole = JSON.stringify(replaceAt(root, path, PLACE));
      bodies.push({ name: `${name}: ${kind}`, text: () => whole.replace(`"${PLACE}"`, text) });
    };
    if (Array.isArray(value)) {
      const item = JSON.stringify(value[0] ?? {});
      const count = Math.floor(room / (item.length + 1));
      for (const most of [1000, 1001, count])
        put(`${Math.min(most, count)} times`, () => `[${repeatItem(item, Math.min(most, count))}]`);
    } else if (typeof value !== 'object' || value === null) {
      put('digits', () => '9'.repeat(room));
      put('letters', () => `"${'a,'.repeat(room / 2)}"`);
      put('blanks', () => `"${' '.repeat(room)}x"`);
      put('a long decimal', () => `"${'1'.repeat(room / 2)}.${'1'.repeat(room / 2 - 2)}"`);
    }
  }
  return bodies;
}

/** Objects of ten members each, all with different names. */
function nameMembers(count: number): string {
  const names = Array.from({ length: count }, (_, at) => `"n${at}":1${at % 10 === 9 ? '},{' : ','}`);
  return `{${names.join('')}"z":1},`;
}

const PLACE = '@@@';

/** Each with its own id and SKU, so that none is a duplicate of another. */
function repeatItem(item: string, count: number): string {
  return Array.from({ length: count }, (_, at) =>
    item.replace(/("(?:id|product|sku|order|product_id)":)("?)([\w-]+)/g, `$1$2$3${at}`),
  ).join(',');
}

function* listPaths(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (path.length > 0) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value).slice(0, Array.isArray(value) ? 1 : undefined)) {
    yield* listPaths(inner, [...path, name]);
  }
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce((value, name) => (value as Record<string, unknown>)[name], root);
}

function replaceAt(root: unknown, [name, ...rest]: readonly string[], value: string): unknown {
  if (name === undefined) return value;
  const copy: unknown = Array.isArray(root) ? [...root] : { ...(root as object) };
  (copy as Record<string, unknown>)[name] = replaceAt((root as Record<string, unknown>)[name], rest, value);
  return copy;
}

function blowUpForm(sample: string, size: number): readonly HostileBody[] {
  const pairs = [...new URLSearchParams(sample)];
  return pairs.map(([name]) => {
    const text = () => {
      const blown = new URLSearchParams(pairs);
      blown.set(name, '9'.repeat(size - sample.length - 100));
      return blown.toString();
    };
    return { name: `${name}: digits`, text };
  });
}
