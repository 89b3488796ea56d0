import { expect, it } from 'vitest';
import { orderOf } from './receive-body.ts';

it('says in which language the buyer ordered, if WPML adds it to the order', () => {
  const others = [
    { id: 1, key: 'is_vat_exempt', value: 'no' },
    { id: 2, key: 'coupon_data', value: { id: 7 } },
  ];
  const language = { id: 3, key: 'wpml_language', value: 'de' };
  expect(orderOf({ meta_data: [...others, language] }).language).toBe('de');
  expect(orderOf({ meta_data: [...others, { ...language, value: [] }] }).language).toBeUndefined();
  expect(orderOf({ meta_data: others }).language).toBeUndefined();
});
