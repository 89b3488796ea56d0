import { describe, expect, test } from 'vitest';
import { evaluateFileRequest, type FileRequest } from '../src/customer/evaluate-file-request.ts';

const sha256 = 'ab'.repeat(32);
const file = { name: 'pads.zip', size: 10, sha256 };
const TAG = `"${sha256}"`;
const PART = { kind: 'ranges', ranges: [{ start: 2, end: 5 }] };
const WHOLE = { kind: 'whole' };
const range = 'bytes=2-4';

function check(headers: FileRequest['headers'], method = 'GET') {
  return evaluateFileRequest({ method, headers }, file);
}

describe('a request for a file', () => {
  test('gets its range, and HEAD gets the headers of the whole file', () => {
    expect(check({ range })).toEqual(PART);
    expect(check({ range }, 'HEAD')).toEqual(WHOLE);
    expect(check({})).toEqual(WHOLE);
    expect(check({ range: 'bytes=10-' })).toEqual({ kind: 'unsatisfiable' });
    expect(check({ range: 'bytes=10-' }, 'HEAD')).toEqual(WHOLE);
  });

  test.each([
    [TAG, PART],
    ['"other"', WHOLE],
    // Weak tags never match in If-Range, nor does a date: files have none.
    [`W/${TAG}`, WHOLE],
    [sha256, WHOLE],
    [`${TAG}, "other"`, WHOLE],
    ['Mon, 02 Mar 2026 09:00:00 GMT', WHOLE],
    ['*', WHOLE],
    ['', WHOLE],
  ])('with If-Range: %s', (ifRange, expected) => {
    expect(check({ range, 'if-range': ifRange })).toEqual(expected);
  });

  test('whose If-Range fails gets the file instead of a 416', () => {
    expect(check({ range: 'bytes=10-', 'if-range': '"other"' })).toEqual(WHOLE);
    expect(check({ range: 'bytes=10-', 'if-range': TAG })).toEqual({ kind: 'unsatisfiable' });
  });

  test.each([
    [TAG, 'not-modified'],
    [`W/${TAG}`, 'not-modified'],
    ['*', 'not-modified'],
    [`"a,b", ${TAG}`, 'not-modified'],
    [`"a,${TAG}`, 'whole'],
    ['"other"', 'whole'],
    [sha256, 'whole'],
    ['', 'whole'],
  ])('with If-None-Match: %s', (ifNoneMatch, kind) => {
    for (const method of ['GET', 'HEAD']) {
      expect(check({ 'if-none-match': ifNoneMatch }, method)).toEqual({ kind });
    }
  });

  test.each([
    [TAG, 'whole'],
    ['*', 'whole'],
    [`"other" , ${TAG}`, 'whole'],
    [`W/${TAG}`, 'precondition-failed'],
    ['"other"', 'precondition-failed'],
    ['', 'precondition-failed'],
  ])('with If-Match: %s', (ifMatch, kind) => {
    for (const method of ['GET', 'HEAD']) expect(check({ 'if-match': ifMatch }, method)).toEqual({ kind });
  });

  test('evaluates If-Match first, then If-None-Match, and only then its range', () => {
    expect(check({ range, 'if-match': '"other"', 'if-none-match': TAG })).toEqual({
      kind: 'precondition-failed',
    });
    expect(check({ range, 'if-match': TAG, 'if-none-match': TAG })).toEqual({ kind: 'not-modified' });
    expect(check({ range, 'if-match': TAG, 'if-none-match': '"other"' })).toEqual(PART);
  });
});
