import { expect, it } from 'vitest';
import { orderOf } from './receive-body.ts';

it('says in which language the buyer saw the checkout', () => {
  expect(orderOf({ language: 'de' }).language).toBe('de');
  expect(orderOf({ language: ' ' }).language).toBeUndefined();
});
