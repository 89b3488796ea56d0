import { chooseOrganisation, isSameName, type Organisation } from '@handover/domain';
import { expect, it } from 'vitest';

const organisation = (id: string, name: string): Organisation => ({
  id,
  name,
  email: 'owner@example.com',
  alertEmail: null,
  defaultCurrency: null,
  language: 'en',
  timeZone: 'UTC',
  subscriptionExpiresAt: null,
  createdAt: new Date(0),
});
const halo = organisation('a', 'Halo Audio');
const namesake = organisation('b', 'halo audio');

it('chooses the only organisation of a name', () => {
  expect(chooseOrganisation(null, [halo])).toEqual({ kind: 'chosen', organisation: halo });
});

it('prefers the organisation of this id to those of this name', () => {
  expect(chooseOrganisation(halo, [organisation('b', 'a')])).toEqual({ kind: 'chosen', organisation: halo });
});

it('chooses none of several of one name', () => {
  expect(chooseOrganisation(null, [halo, namesake])).toEqual({
    kind: 'several',
    organisations: [halo, namesake],
  });
});

it('knows no organisation of another id and name', () => {
  expect(chooseOrganisation(null, [])).toEqual({ kind: 'unknown' });
});

it.each([
  ['Halo Audio', ' HALO audio ', true],
  ['Über Ton', 'ÜBER TON', true],
  ['Halo Audio', 'Halo  Audio', false],
  ['Halo Audio', 'Halo', false],
])('says whether %j and %j are one name: %s', (one, other, expected) => {
  expect(isSameName(one, other)).toBe(expected);
});
