import fc from 'fast-check';
import pg from 'pg';
import { expect, test } from 'vitest';
import { getTypeParser } from '../src/database/create-pool.ts';

const read = getTypeParser(pg.types.builtins.TIMESTAMPTZ);
const readAsPg = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ);

test('reads every time as pg does, in UTC and elsewhere', () => {
  const times = fc.date({
    min: new Date('0100-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  });
  const fractions = fc.constantFrom('', '.1', '.25', '.999', '.535001', '.000001', '.123999');
  const zones = fc.constantFrom('+00', '+01', '-08', '+05:30', '+00:19:32');
  fc.assert(
    fc.property(times, fractions, zones, (time, fraction, zone) => {
      const text = `${time.toISOString().slice(0, 19).replace('T', ' ')}${fraction}${zone}`;
      expect(read(text)).toEqual(readAsPg(text));
    }),
  );
});

test.each(['infinity', '-infinity', '0044-03-15 12:00:00+00 BC', '12026-01-01 00:00:00+00'])(
  'reads %s as pg does',
  (text) => {
    expect(read(text)).toEqual(readAsPg(text));
  },
);

test.each(['01.05.2026 12:00:00 UTC', '05/01/2026 12:00:00 UTC', 'Fri May 01 12:00:00 2026 UTC'])(
  'refuses %s instead of reading no time',
  (text) => {
    expect(() => read(text)).toThrow('datestyle');
  },
);
