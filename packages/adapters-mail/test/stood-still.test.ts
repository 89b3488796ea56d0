import { afterEach, expect, it, vi } from 'vitest';
import { startMailServer } from './mail-server.ts';
import { openMailer } from './open-mailer.ts';
import { CLAIM, sampleReceipt } from './sample-receipt.ts';

afterEach(() => vi.restoreAllMocks());

it.each([
  ['monotonic clock, as a frozen process does', performance],
  ['wall clock, as a machine that slept does', Date],
] as const)('calls a mail off before its data when it finds a gap in the %s', async (_name, clock) => {
  let stands = true;
  const server = await startMailServer({
    onRcptTo: (_to, _session, done) => {
      if (stands) {
        const real = clock.now.bind(clock);
        vi.spyOn(clock, 'now').mockImplementation(() => real() + 6_000);
      }
      stands = false;
      done();
    },
  });
  const mailer = openMailer(server);
  expect(await mailer.send(sampleReceipt(), CLAIM)).toEqual({
    kind: 'try-again',
    answer: expect.stringContaining('The program stood still while it talked with the mail server.'),
  });
  expect(server.received).toEqual([]);
  expect((await mailer.send(sampleReceipt(), CLAIM)).kind).toBe('accepted');
  expect(server.received).toHaveLength(1);
});

it('sends a mail to a slow server if the program ran all the time', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'performance', 'Date'] });
  try {
    const server = await startMailServer({
      onRcptTo: (_to, _session, done) => {
        // Twenty seconds, second by second.
        vi.advanceTimersByTime(20_000);
        done();
      },
    });
    expect((await openMailer(server).send(sampleReceipt(), CLAIM)).kind).toBe('accepted');
  } finally {
    vi.useRealTimers();
  }
});
