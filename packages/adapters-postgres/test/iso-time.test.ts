import fc from 'fast-check';
import pg from 'pg';
import { expect, test } from 'vitest';
import { toIsoTime } from '../src/database/time-texts.ts';

const readAsPg: (text: string) => Date = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ);

test('writes every time as the date that pg reads, in UTC and elsewhere', () => {
  const times = fc.date({
    min: new Date('0100-01-01T00:00:00Z'),
    max: new Date('9999-12-30T23:59:59Z'),
    noInvalidDate: true,
  });
  const fractions = fc.constantFrom('', '.1', '.25', '.999', '.535001', '.000001', '.123999', '.1234');
  const zones = fc.constantFrom('+00', '+00', '+01', '-08', '+05:30', '+00:19:32');
  fc.assert(
    fc.property(times, fractions, zones, (time, fraction, zone) => {
      const text = `${time.toISOString().slice(0, 19).replace('T', ' ')}${fraction}${zone}`;
      expect(toIsoTime(text)).toBe(readAsPg(text).toISOString());
    }),
  );
});

test.each(['0044-03-15 12:00:00+00 BC', '12026-01-01 00:00:00+00'])('writes %s', (text) => {
  expect(toIsoTime(text)).toBe(readAsPg(text).toISOString());
});
