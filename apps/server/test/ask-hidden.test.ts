import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { askHidden } from '../src/cli/program.ts';

function openTerminal() {
  const input = new PassThrough();
  const output = new PassThrough();
  const answer = askHidden(input, output, 'Paste it: ');
  return { answer, type: (text: string) => input.write(text), shown: () => String(output.read() ?? '') };
}

it('answers with the line that was typed, and shows nothing of it', async () => {
  const { answer, type, shown } = openTerminal();
  type('whsec_a secret\r');
  expect(await answer).toBe('whsec_a secret');
  expect(shown()).toBe('Paste it: \n');
});

it.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
])('answers with nothing after %s', async (_, key) => {
  const { answer, type, shown } = openTerminal();
  type(key);
  expect(await answer).toBe(null);
  expect(shown()).toBe('Paste it: \n');
});
