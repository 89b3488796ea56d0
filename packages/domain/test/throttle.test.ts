import { createInMemoryStores } from '@handover/domain/memory';
import { createManualClock } from '@handover/testkit';
import { expect, it } from 'vitest';
import { throttle } from '../src/access/throttle.ts';

const MINUTE = 60 * 1000;

it('an address may ask for five sign-ins in a quarter of an hour, which begins with the first', async () => {
  const clock = createManualClock();
  const { throttles } = createInMemoryStores();
  const endsAt = new Date(clock.now().getTime() + 15 * MINUTE);
  const ask = (subject = 'ana@example.com') => throttle({ clock, throttles }, 'signInPerAddress', subject);
  for (let tried = 0; tried < 5; tried += 1) {
    expect(await ask()).toBe(null);
    clock.advance(MINUTE);
  }
  expect([await ask(), await ask()]).toEqual([endsAt, endsAt]);
  expect(await ask('jo@example.com')).toBe(null);
  clock.advance(10 * MINUTE);
  expect(await ask()).toBe(null);
});
