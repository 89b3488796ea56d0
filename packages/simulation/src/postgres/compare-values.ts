/**
 * Describes the first difference of two values; null if they are equal. Dates, bytes and maps are compared by
 * content. `accept` may treat two different values as equal.
 */
export function findDifference(
  postgres: unknown,
  memory: unknown,
  accept: (path: string, postgres: unknown, memory: unknown) => boolean = () => false,
  path = '',
): string | null {
  const [left, right] = [simplify(postgres), simplify(memory)];
  if (isTree(left) && isTree(right)) {
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
      const found = findDifference(left[key], right[key], accept, `${path}.${key}`);
      if (found !== null) return found;
    }
    return null;
  }
  if (Object.is(left, right) || accept(path, left, right)) return null;
  return `${path || 'the value'} is ${print(postgres)} on PostgreSQL, and ${print(memory)} in memory`;
}

type Tree = Readonly<Record<string, unknown>>;

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null;
}

function simplify(value: unknown): unknown {
  if (value instanceof Date) return `Date ${value.toISOString()}`;
  if (value instanceof Uint8Array) return `Bytes ${Buffer.from(value).toString('hex')}`;
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Set) return [...value].sort();
  return value;
}

function print(value: unknown): string {
  return value === undefined
    ? 'absent'
    : JSON.stringify(value, (_key, inner) => simplify(inner)).slice(0, 300);
}
