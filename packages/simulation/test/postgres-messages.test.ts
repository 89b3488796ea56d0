import { expect, test } from 'vitest';
import { countAnswers, countRequests } from '../src/network/postgres-messages.ts';

/** A message of PostgreSQL's protocol. */
function message(letter: string, content = ''): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + content.length);
  return Buffer.concat([Buffer.from(letter), length, Buffer.from(content)]);
}

const STATEMENT = [message('P', 'select $1 as "Q"'), message('B', 'SSSS'), message('E'), message('S')];

test('counts each statement of a pipeline, and nothing within one', () => {
  expect(countRequests(Buffer.concat([...STATEMENT, ...STATEMENT, message('Q', 'commit')]))).toBe(3);
});

test('counts an answer once all of it is there', () => {
  const answers = Buffer.concat([message('C', 'DELETE 1'), message('Z', 'T'), message('Z', 'I')]);
  const counts = [...answers.keys()].map((end) => countAnswers(answers.subarray(0, end + 1)));
  expect(counts.at(-1)).toBe(2);
  expect(counts.at(-2)).toBe(1);
  expect(counts[message('C', 'DELETE 1').length - 1]).toBe(0);
});

test('counts nothing of another protocol', () => {
  expect(countRequests(Buffer.from('QUIT\r\nSTARTTLS\r\n'))).toBe(0);
});
