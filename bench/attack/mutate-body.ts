import { HOSTILE_TEXTS } from './hostile-texts.ts';
import type { Random } from './random.ts';

/** A vendor's payload with a change that the vendor would not send. */
export function mutateBody(random: Random, sample: Uint8Array): Buffer {
  let text = new TextDecoder().decode(sample);
  for (let count = random.below(4); count > 0; count -= 1) {
    text = text.startsWith('{') && !random.oneIn(4) ? mutateJson(random, text) : mutateText(random, text);
  }
  const body = Buffer.from(text);
  if (random.oneIn(25) && body.length > 0) body[random.below(body.length)] = random.below(256);
  return body;
}

function mutateJson(random: Random, text: string): string {
  const values = [...text.matchAll(/:("(?:[^"\\]|\\.)*"|[\d.]+|true|false|null|\[|\{)/g)];
  if (values.length === 0) return text;
  const { index, 1: value = '' } = random.pick(values);
  const start = index + 1;
  return text.slice(0, start) + makeValue(random, value) + text.slice(start + value.length);
}

function makeValue(random: Random, value: string): string {
  if (value === '[') return random.pick(['[null,', '[{},', `[${'{"id":1},'.repeat(1200)}`, '[[],']);
  if (value === '{') return random.pick(['{"a":1,', '{"__proto__":{"x":1},', '{"name":"=…\\"",']);
  const hostile = random.pick(HOSTILE_TEXTS);
  return random.pick([
    JSON.stringify(hostile),
    JSON.stringify([hostile]),
    JSON.stringify({ [hostile]: hostile }),
    'null',
    '{}',
    '[]',
    '-1',
    '1e9',
    '0.00000000000000000000000000000001',
    '123456789012345678901234567890',
    `${'['.repeat(60)}${']'.repeat(60)}`,
  ]);
}

function mutateText(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  const to = Math.min(text.length, at + random.below(20));
  return random.pick([
    () => text.slice(0, at),
    () => text.slice(0, at) + text.slice(to),
    () => text.slice(0, at) + random.pick(HOSTILE_TEXTS) + text.slice(at),
    () => text + text,
    () => `\ufeff ${text}`,
  ])();
}
