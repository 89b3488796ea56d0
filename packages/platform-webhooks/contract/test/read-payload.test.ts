import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { readPayload } from '../src/index.ts';

const Schema = Type.Object({
  id: Type.String(),
  test: Type.Boolean(),
  kind: Type.Literal('order'),
  anything: Type.Unknown(),
  customer: Type.Object({ email: Type.String() }),
  lines: Type.Array(Type.Object({ sku: Type.String() })),
  tags: Type.Array(Type.String()),
});

describe('a payload', () => {
  it('is read where it fits the schema only', () => {
    const payload = {
      id: '7',
      test: true,
      kind: 'order',
      anything: ['x'],
      customer: { email: 'a@b', age: 3 },
      more: 1,
    };
    expect(readPayload(Schema, payload)).toEqual({
      id: '7',
      test: true,
      kind: 'order',
      anything: ['x'],
      customer: { email: 'a@b' },
    });
  });

  it.each([
    ['null', { id: null }],
    ['a wrong type', { id: 7, test: 'true', kind: 'refund', customer: 'x', lines: {}, tags: 'x' }],
    ['blank text', { id: ' \u0000\n' }],
    ['text far longer than any field', { id: 'x'.repeat(100_001) }],
    ['nothing at all', {}],
  ])('counts a member as absent that is %s', (_case, payload) => {
    expect(readPayload(Schema, payload)).toEqual({});
  });

  it('keeps fitting members beside others', () => {
    const payload = {
      customer: { email: 5 },
      lines: [null, 'x', { sku: 1 }, { sku: 'A' }, [[]]],
      tags: ['a', 1, ''],
    };
    expect(readPayload(Schema, payload)).toEqual({ customer: {}, lines: [{}, { sku: 'A' }], tags: ['a'] });
  });

  it('has the lists that PHP writes as objects, because some of their numbers are missing', () => {
    const lines = { 4: { sku: 'B' }, 0: { sku: 'A' }, 2: null };
    expect(readPayload(Schema, { lines, tags: { 1: 'a' } })).toEqual({
      lines: [{ sku: 'A' }, { sku: 'B' }],
      tags: ['a'],
    });
    expect(readPayload(Schema, { lines: { 0: { sku: 'A' }, sku: { sku: 'B' } } })).toEqual({});
  });

  it.each([[null], [[]], ['x'], [true], [undefined]])('that is %j is none', (payload) => {
    expect(readPayload(Schema, payload)).toBeNull();
  });

  it('has clean text', () => {
    expect(readPayload(Schema, { id: ' a\u0000b\r\nc\ud800 ' })).toEqual({ id: 'ab c\ufffd' });
  });

  it('is read from its own members, never from inherited ones', () => {
    const Hostile = Type.Object({ toString: Type.Unknown(), constructor: Type.Unknown() });
    expect(Object.keys(readPayload(Hostile, {}) ?? {})).toEqual([]);
  });
});
