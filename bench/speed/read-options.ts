import { parseArgs } from 'node:util';

/** Numbers from the command line, such as `--seconds 3`; missing ones keep their default. */
export function readOptions<Names extends string>(defaults: Record<Names, number>): Record<Names, number> {
  const names = Object.keys(defaults) as Names[];
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: Object.fromEntries(names.map((name) => [name, { type: 'string' } as const])),
  });
  const read = { ...defaults };
  for (const name of names) {
    const text = values[name];
    if (text === undefined) continue;
    const number = Number(text);
    if (!(number > 0)) throw new Error(`--${name} must be a number above 0, not “${text}”.`);
    read[name] = number;
  }
  return read;
}
