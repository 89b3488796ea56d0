/** Remembers what was used last, up to a number, so that strangers cannot make it grow. */
export function createBoundedMap<Value>(maxSize: number) {
  const values = new Map<string, Value>();
  const set = (key: string, value: Value): Value => {
    values.delete(key);
    values.set(key, value);
    // A map lists its keys in the order in which they were set.
    const [oldest] = values.keys();
    if (values.size > maxSize && oldest !== undefined) values.delete(oldest);
    return value;
  };
  return {
    set,
    get: (key: string): Value | undefined => {
      const value = values.get(key);
      return value === undefined ? undefined : set(key, value);
    },
    delete: (key: string): void => {
      values.delete(key);
    },
    size: (): number => values.size,
  };
}
