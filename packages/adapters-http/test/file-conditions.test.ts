import { describe, expect, test } from 'vitest';
import { type FileRequest, judgeFileRequest } from '../src/customer/judge-file-request.ts';

const sha256 = 'ab'.repeat(32);
const file = { name: 'pads.zip', size: 10, sha256 };
const TAG = `"${sha256}"`;
const PART = { kind: 'ranges', ranges: [{ start: 2, end: 5 }] };
const WHOLE = { kind: 'whole' };
const range = 'bytes=2-4';

function judge(headers: FileRequest['headers'], method = 'GET') {
  return judgeFileRequest({ method, headers }, file);
}

describe('a request for a file', () => {
  test('gets its range, and HEAD is told of the whole', () => {
    expect(judge({ range })).toEqual(PART);
    expect(judge({ range }, 'HEAD')).toEqual(WHOLE);
    expect(judge({})).toEqual(WHOLE);
    expect(judge({ range: 'bytes=10-' })).toEqual({ kind: 'unsatisfiable' });
    expect(judge({ range: 'bytes=10-' }, 'HEAD')).toEqual(WHOLE);
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
    expect(judge({ range, 'if-range': ifRange })).toEqual(expected);
  });

  test('whose If-Range fails is not told that its range cannot be had', () => {
    expect(judge({ range: 'bytes=10-', 'if-range': '"other"' })).toEqual(WHOLE);
    expect(judge({ range: 'bytes=10-', 'if-range': TAG })).toEqual({ kind: 'unsatisfiable' });
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
      expect(judge({ 'if-none-match': ifNoneMatch }, method)).toEqual({ kind });
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
    for (const method of ['GET', 'HEAD']) expect(judge({ 'if-match': ifMatch }, method)).toEqual({ kind });
  });

  test('is judged by If-Match first, then by If-None-Match, and only then by its range', () => {
    expect(judge({ range, 'if-match': '"other"', 'if-none-match': TAG })).toEqual({
      kind: 'precondition-failed',
    });
    expect(judge({ range, 'if-match': TAG, 'if-none-match': TAG })).toEqual({ kind: 'not-modified' });
    expect(judge({ range, 'if-match': TAG, 'if-none-match': '"other"' })).toEqual(PART);
  });
});
