import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  API_AREAS,
  type ApiArea,
  areasFor,
  hasScope,
  isUseDue,
  KEY_USE_INTERVAL_MS,
  readScopes,
  scopeOf,
} from '../src/index.ts';

const areas = fc.constantFrom(...API_AREAS);
const rights = fc.constantFrom('read', 'write');
const scopes = fc.tuple(areas, rights).map(([area, right]) => `${area}:${right}` as `${ApiArea}:read`);

describe('the scope of a request', () => {
  it.each(['GET', 'HEAD', 'OPTIONS'])('is reading for %s', (method) => {
    expect(scopeOf(method, 'products')).toBe('products:read');
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'anything'])('is writing for %s', (method) => {
    expect(scopeOf(method, 'products')).toBe('products:write');
  });
});

describe('a key', () => {
  it('with no list of scopes may do everything', () => {
    fc.assert(fc.property(scopes, (needed) => hasScope(null, needed)));
  });

  it('may do what it has the scope for, or read what it may write, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(scopes), scopes, (had, needed) => {
        const [area, right] = needed.split(':');
        const expected = had.some((one) => one === needed || (right === 'read' && one === `${area}:write`));
        expect(hasScope(had, needed)).toBe(expected);
      }),
    );
  });
});

describe('a list of scopes', () => {
  it('is read with each scope once, whatever its order', () => {
    fc.assert(
      fc.property(fc.array(scopes), (texts) => {
        expect(readScopes(texts)).toEqual(readScopes([...new Set(texts)].reverse()));
        expect(new Set(readScopes(texts))).toEqual(new Set(texts));
      }),
    );
  });

  it.each(['products', 'products:delete', 'Products:read', 'everything:read', ''])(
    'is refused with %j in it',
    (text) => {
      expect(readScopes(['products:read', text])).toBe(null);
    },
  );
});

it('a member is offered the areas that members may use', () => {
  expect(areasFor('member')).toEqual(['products', 'downloads']);
  expect(areasFor('admin')).toEqual(API_AREAS);
});

it('a use is due once a minute', () => {
  const at = new Date('2026-03-02T09:00:00Z');
  const since = (ms: number) => isUseDue({ lastUsedAt: new Date(at.getTime() - ms) }, at);
  expect(isUseDue({ lastUsedAt: null }, at)).toBe(true);
  expect([since(0), since(KEY_USE_INTERVAL_MS - 1), since(KEY_USE_INTERVAL_MS)]).toEqual([
    false,
    false,
    true,
  ]);
});
