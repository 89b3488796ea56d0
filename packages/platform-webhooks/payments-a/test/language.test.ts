import { expect, it } from 'vitest';
import { orderOf } from './receive-body.ts';

it('says in which language the buyer paid, if the session sets one', () => {
  expect(orderOf({ locale: 'pt-BR' }).language).toBe('pt-BR');
  expect(orderOf({ locale: null }).language).toBeUndefined();
});
