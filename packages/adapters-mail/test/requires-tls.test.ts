import { expect, it } from 'vitest';
import { requiresTls } from '../src/create-smtp-mailer.ts';

it.each([
  ['smtp://user:pass@mail.example.com:587', true],
  ['smtp://user:pass@10.0.0.5', true],
  ['smtp://user:pass@127.example.com', true],
  ['smtp://mail.example.com:25', false],
  ['smtp://user:pass@localhost:1025', false],
  ['smtp://user:pass@127.0.0.1:1025', false],
  ['smtp://user:pass@[::1]', false],
])('checks whether a connection to %s must be encrypted: %s', (url, expected) => {
  expect(requiresTls(url)).toBe(expected);
});
