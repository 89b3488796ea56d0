import { expect, it } from 'vitest';
import { chooseWorkers } from '../../test/choose-workers.ts';

const GIGABYTE = 2 ** 30;

it('runs six test files at once, and four where memory is scarce', () => {
  expect(chooseWorkers(16 * GIGABYTE)).toBe(6);
  expect(chooseWorkers(9 * GIGABYTE)).toBe(6);
  expect(chooseWorkers(8 * GIGABYTE)).toBe(4);
});
