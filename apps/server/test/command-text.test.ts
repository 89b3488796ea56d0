import { expect, it } from 'vitest';
import { chooseCommands, formatOption } from '../src/cli/command-text.ts';

it.each([
  ['a release', true, 'file:///opt/handover/handover.js', 'handover'],
  [
    'an installed package',
    false,
    'file:///shop/node_modules/@handover/server/dist/cli/command-text.js',
    'npx handover',
  ],
  [
    'a clone',
    false,
    'file:///home/ana/handover/apps/server/dist/handover.js',
    'npm run --silent handover --',
  ],
])('commands are printed as they are typed with %s', (_, isRelease, url, handover) => {
  expect(chooseCommands(isRelease, url)).toMatchObject({ handover });
});

it.each([
  ['main', '--name main'],
  ['My shop', "--name 'My shop'"],
  ['-x', '--name=-x'],
  ["--it's", "--name='--it'\\''s'"],
])('an option whose value is %s is printed as it is typed', (value, printed) => {
  expect(formatOption('name', value)).toBe(printed);
});
