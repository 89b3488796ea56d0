import pino from 'pino';
import { expect, it } from 'vitest';
import { assembleHandover } from '../src/composition/assemble-handover.ts';

it('a start that failed in an outage can be repeated after it', async () => {
  let tries = 0;
  const handover = assembleHandover(
    async () => {
      tries += 1;
      throw new Error(`try ${tries}`);
    },
    pino({ level: 'silent' }),
  );
  await expect(Promise.all([handover.start(), handover.open()])).rejects.toThrow('try 1');
  await expect(handover.start()).rejects.toThrow('try 2');
  await expect(handover.open()).rejects.toThrow('try 3');
  await handover.stop();
  await expect(handover.open()).rejects.toMatchObject({ code: 'handover-stopped' });
});
