import { createMemory } from '@handover/domain/memory';
import { describe, expect, it } from 'vitest';
import { findDifference } from '../src/postgres/compare-states.ts';
import { listTableRows } from '../src/postgres/table-rows.ts';
import { createTwinIds } from '../src/postgres/twin-ids.ts';

describe('findDifference', () => {
  it('compares dates, bytes and absent members by content', () => {
    const bytes = Buffer.from('abc');
    const at = new Date(5);
    expect(
      findDifference({ at, bytes, note: undefined }, { at: new Date(5), bytes: new Uint8Array(bytes) }),
    ).toBe(null);
    expect(findDifference({ at }, { at: new Date(6) })).toContain('.at is');
    expect(findDifference({ bytes }, { bytes: new Uint8Array(3) })).toContain('.bytes is');
  });

  it('describes where two values differ', () => {
    expect(findDifference({ rows: [{ id: 'a' }] }, { rows: [{ id: 'b' }] })).toBe(
      '.rows.0.id is "a" on PostgreSQL, and "b" in memory',
    );
  });

  it.each([
    [['a'], []],
    [[], ['a']],
    [{ a: 1 }, {}],
    [null, undefined],
    [{}, null],
  ])('tells what is there from what is not, whatever ids are the same: %j and %j', (postgres, memory) => {
    expect(findDifference(postgres, memory, createTwinIds().accept)).not.toBe(null);
  });
});

describe('twin ids', () => {
  it('match two ids of a claim, permanently', () => {
    const ids = createTwinIds();
    expect(findDifference({ claimId: 'p1' }, { claimId: 'm1' }, ids.accept)).toBe(null);
    expect(findDifference({ claimId: 'p1' }, { claimId: 'm1' }, ids.accept)).toBe(null);
    expect(findDifference({ claimId: 'p1' }, { claimId: 'm2' }, ids.accept)).not.toBe(null);
    // In memory, claims of two mails may have the same id.
    expect(findDifference({ claimId: 'p2' }, { claimId: 'm1' }, ids.accept)).toBe(null);
    expect(findDifference({ id: 'p3' }, { id: 'm3' }, ids.accept)).not.toBe(null);
    expect(ids.toMemory('outgoingEmails.complete', 'p1')).toBe('m1');
  });

  it('match an alert mail only in calls about alerts', () => {
    const ids = createTwinIds();
    ids.linkAlertMails('p', 'm');
    expect(ids.toPostgres('outgoingEmails.claim', 'm')).toBe('p');
    expect(ids.toPostgres('deliveries.find', 'm')).toBe('m');
  });
});

it('compares every table of the memory', () => {
  const memory = createMemory();
  const read = new Set<string | symbol>();
  const watched = new Proxy(memory, {
    get: (tables, name, receiver) => {
      read.add(name);
      return Reflect.get(tables, name, receiver);
    },
  });
  listTableRows(watched, new Date(0));
  expect(Object.keys(memory).filter((name) => !read.has(name))).toEqual(COMPARED_ELSEWHERE);
});

/** Jobs are compared by their subject: see `describeJobs`. */
const COMPARED_ELSEWHERE = ['jobs'];
