import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseLanguage, formatsOf, LANGUAGES, readLanguage, readTimeZone } from '../src/index.ts';

describe('a language', () => {
  it.each([
    ['de', 'de'],
    ['de-AT', 'de'],
    ['pt_BR', 'pt'],
    [' JA ', 'ja'],
    ['zh-TW', null],
    ['deu', null],
    ['auto', null],
    ['', null],
    [null, null],
    [undefined, null],
  ])('is read from the tag %j as %j', (tag, language) => {
    expect(readLanguage(tag)).toBe(language);
  });

  it('is the buyer’s if it is known, else the shop’s, else English', () => {
    expect(chooseLanguage('ja', 'de')).toBe('ja');
    expect(chooseLanguage(null, 'de')).toBe('de');
    expect(chooseLanguage(undefined, undefined)).toBe('en');
  });
});

describe('a time zone', () => {
  it.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['europe/berlin', 'Europe/Berlin'],
    [' UTC ', 'UTC'],
    ['+01:00', null],
    ['Mars/Olympus', null],
    ['', null],
  ])('is read from %j as %j', (typed, zone) => {
    expect(readTimeZone(typed)).toBe(zone);
  });

  it('that is read can be written', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom(...Intl.supportedValuesOf('timeZone'))), (typed) => {
        const zone = readTimeZone(typed);
        if (zone !== null) expect(formatsOf('en').moment(new Date(0), zone)).not.toBe('');
      }),
    );
  });
});

describe('the formats', () => {
  const AT = new Date('2026-10-14T14:02:00Z');

  it.each([
    ['en', '3.1 GB', '48 hours', '1 minute', '14 October 2026', 'Wednesday 14 October at 14:02 UTC', '49.00'],
    [
      'de',
      '3,1 GB',
      '48 Stunden',
      '1 Minute',
      '14. Oktober 2026',
      'Mittwoch, 14. Oktober, 14:02 Uhr UTC',
      '49,00',
    ],
    ['fr', '3,1 Go', '48 heures', '1 minute', '14 octobre 2026', 'mercredi 14 octobre à 14:02 UTC', '49,00'],
    [
      'es',
      '3,1 GB',
      '48 horas',
      '1 minuto',
      '14 de octubre de 2026',
      'miércoles 14 de octubre a las 14:02 UTC',
      '49,00',
    ],
    [
      'pt',
      '3,1 GB',
      '48 horas',
      '1 minuto',
      '14 de outubro de 2026',
      'quarta-feira, 14 de outubro, às 14:02 UTC',
      '49,00',
    ],
    ['ja', '3.1 GB', '48 時間', '1 分', '2026年10月14日', '10月14日水曜日 14:02 UTC', '49.00'],
  ] as const)('of %s', (language, size, hours, minute, date, moment, amount) => {
    const formats = formatsOf(language);
    const plain = (text: string) => text.replace(/\s/g, ' ');
    expect(plain(formats.size(3_140_000_000))).toBe(size);
    expect(plain(formats.duration(48 * 3_600_000))).toBe(hours);
    expect(plain(formats.duration(20_000))).toBe(minute);
    expect(formats.date(AT, 'UTC')).toBe(date);
    expect(plain(formats.moment(AT, 'UTC'))).toBe(moment);
    expect(formats.amount('49', 'EUR')).toBe(amount);
  });

  it.each([
    ['en', '76,950', '-1,250.50'],
    ['de', '76.950', '-1.250,50'],
    ['fr', '76 950', '-1 250,50'],
    // Spanish groups from five digits on.
    ['es', '76.950', '-1250,50'],
    ['pt', '76.950', '-1.250,50'],
    ['ja', '76,950', '-1,250.50'],
  ] as const)('group the digits of amounts: %s', (language, yen, euros) => {
    const { amount } = formatsOf(language);
    expect(amount('76950', 'JPY').replace(/\s/g, ' ')).toBe(yen);
    expect(amount('-1250.5', 'EUR').replace(/\s/g, ' ')).toBe(euros);
    expect([amount('-0.5', 'EUR').charAt(0), amount('on request', 'EUR')]).toEqual(['-', 'on request']);
  });

  it.each(['0', '999', '1,000', '-1,250', '-125', '1,234,567'])('group the digits of %s', (grouped) => {
    expect(formatsOf('en').amount(grouped.replaceAll(',', ''), null)).toBe(grouped);
  });

  it('keep a number and its unit on one line in Japanese', () => {
    const { duration } = formatsOf('ja');
    expect([duration(48 * 3_600_000), duration(20_000)]).toEqual(['48\u00a0時間', '1\u00a0分']);
  });

  it('keep every digit of an amount', () => {
    const amounts = fc.stringMatching(/^-?[1-9]\d{0,40}\.\d{1,9}[1-9]$/);
    fc.assert(
      fc.property(fc.constantFrom(...LANGUAGES), amounts, (language, amount) => {
        const shown = formatsOf(language).amount(amount, null);
        expect(shown.replace(/\D/g, '')).toBe(amount.replace(/\D/g, ''));
      }),
    );
  });

  it('say times in the zone that is asked for', () => {
    expect(formatsOf('en').moment(AT, 'Europe/Berlin')).toBe('Wednesday 14 October at 16:02 CEST');
    expect(formatsOf('en').date(new Date('2026-10-14T23:30:00Z'), 'Asia/Tokyo')).toBe('15 October 2026');
  });

  it('say one o’clock in the singular in Spanish and Portuguese, and zero hours in Portuguese', () => {
    const one = new Date('2026-10-14T01:30:00Z');
    expect(formatsOf('es').moment(one, 'UTC')).toBe('miércoles 14 de octubre a la 01:30 UTC');
    expect(formatsOf('pt').moment(one, 'UTC')).toBe('quarta-feira, 14 de outubro, à 01:30 UTC');
    const midnight = new Date('2026-10-14T00:30:00Z');
    expect(formatsOf('es').moment(midnight, 'UTC')).toBe('miércoles 14 de octubre a las 00:30 UTC');
    expect(formatsOf('pt').moment(midnight, 'UTC')).toBe('quarta-feira, 14 de outubro, à 00:30 UTC');
  });

  it('say an hour where rounded minutes would be 60 of them', () => {
    const { duration } = formatsOf('en');
    const just = [59.4, 59.6, 60, 89].map((minutes) => duration(minutes * 60_000));
    expect(just).toEqual(['59 minutes', '1 hour', '1 hour', '1 hour']);
  });

  it('show no size as 1000 of a unit, in no language', () => {
    fc.assert(
      fc.property(fc.constantFrom(...LANGUAGES), fc.nat(2 ** 52), (language, bytes) => {
        expect(formatsOf(language).size(bytes)).not.toMatch(/^1.?000/);
      }),
    );
  });
});
