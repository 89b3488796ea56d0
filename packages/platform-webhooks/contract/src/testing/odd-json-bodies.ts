import { encode } from './create-receiver.ts';

/**
 * Invalid bodies that every platform must survive: each kind of JSON at the top level, and the sample with
 * each member at any depth replaced by each odd value or removed.
 */
export function* oddJsonBodies(sample: Uint8Array): Generator<Uint8Array> {
  const tree: unknown = JSON.parse(new TextDecoder().decode(sample));
  for (const odd of ODD_JSON) yield encode(odd);
  for (const path of listPaths(tree)) {
    yield encode(JSON.stringify(replaceAt(tree, path, () => undefined)));
    const marked = JSON.stringify(replaceAt(tree, path, () => MARK));
    for (const odd of ODD_JSON) yield encode(marked.replace(JSON.stringify(MARK), () => odd));
  }
}

const MARK = 'stands here until it is replaced';

/** As source text: JavaScript cannot express some of these values. */
const ODD_JSON: readonly string[] = [
  'null',
  'true',
  'false',
  '0',
  '-1',
  '0.5',
  '-0.0',
  '1e400',
  '1E-400',
  '9'.repeat(400),
  '""',
  '"  "',
  '"\\u0000"',
  '"\\ud800 and \\udc00"',
  '"1.2.3"',
  '"NaN"',
  JSON.stringify('long '.repeat(2000)),
  JSON.stringify('__proto__'),
  '[]',
  '[null]',
  '[[], {}, "", 1, [[[]]]]',
  '{}',
  '{"__proto__":{"id":"1"},"constructor":{"prototype":null},"toString":1,"length":-1}',
  `${'['.repeat(50)}${']'.repeat(50)}`,
];

type Path = readonly (string | number)[];

function* listPaths(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const step = [...path, Array.isArray(value) ? Number(key) : key];
    yield step;
    yield* listPaths(member, step);
  }
}

function replaceAt(value: unknown, [step, ...rest]: Path, replace: (value: unknown) => unknown): unknown {
  if (step === undefined) return replace(value);
  if (Array.isArray(value)) {
    return value.map((item, index) => (index === step ? replaceAt(item, rest, replace) : item));
  }
  const members = Object.entries(value as Record<string, unknown>);
  return Object.fromEntries(
    members.map(([key, member]) => [key, key === step ? replaceAt(member, rest, replace) : member]),
  );
}
