import { EventEmitter } from 'node:events';
import { DomainError } from '@handover/domain';
import { sendsEmail } from '@handover/testkit';
import type { FastifyReply } from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createUnansweredWork, PAUSES_MS } from '../src/dashboard/unanswered-work.ts';
import { openDashboard } from './open-dashboard.ts';

/** An answer that waits for a transaction would never come. */
const TIMEOUT = 20_000;

/** A dashboard whose transactions wait until they are let through. */
async function openHeld() {
  const gate = Promise.withResolvers<void>();
  let isHeld = false;
  let waiting = 0;
  const dashboard = await openDashboard(({ inTransaction }) => ({
    inTransaction: async (work) => {
      waiting += isHeld ? 1 : 0;
      if (isHeld) await gate.promise;
      return inTransaction(work);
    },
  }));
  const { email } = await dashboard.signIn('owner');
  isHeld = true;
  onTestFinished(() => gate.resolve());
  return {
    dashboard,
    email,
    ask: (address: string) => dashboard.signedInUser().post('/dashboard/sign-in', { email: address }),
    waiting: () => waiting,
    letThrough: () => gate.resolve(),
    countMails: async () => (await dashboard.stores.queuedJobs()).filter(sendsEmail('sign-in')).length,
  };
}

test('the answer to a sign-in request waits for nothing that depends on whose the address is', {
  timeout: TIMEOUT,
}, async () => {
  const { email, ask, waiting, letThrough, countMails, dashboard } = await openHeld();
  const answers = [];
  for (const address of [email, 'nobody@example.com']) {
    const { statusCode, body } = await ask(address);
    answers.push([statusCode, body.replaceAll(address, 'ADDRESS')]);
  }
  expect(answers[0]?.[0]).toBe(200);
  expect(answers[0]).toEqual(answers[1]);
  await vi.waitFor(() => expect(waiting()).toBe(2));
  expect(await countMails()).toBe(0);
  letThrough();
  await dashboard.app.close();
  expect(await countMails()).toBe(1);
});

test('nor does the refusal of too many', { timeout: TIMEOUT }, async () => {
  const { email, ask, waiting } = await openHeld();
  for (const address of [email, 'nobody@example.com'])
    for (let count = 0; count < 6; count += 1) {
      const { body } = await ask(address);
      expect(body.includes('Too many links were asked for.')).toBe(count === 5);
    }
  await vi.waitFor(() => expect(waiting()).toBe(12));
});

test('the work begins once the answer is sent, or the connection is closed', async () => {
  const raw = Object.assign(new EventEmitter(), { closed: false });
  const log = { info: () => undefined, error: () => undefined };
  const work = createUnansweredWork();
  const begun: string[] = [];
  const start = (name: string, closed: boolean) =>
    work.start({ raw: Object.assign(raw, { closed }), log } as unknown as FastifyReply, async () => {
      begun.push(name);
      return {};
    });
  start('answered later', false);
  start('gone already', true);
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toEqual(['gone already']);
  raw.emit('close');
  await work.idle();
  expect(begun).toEqual(['gone already', 'answered later']);
});

test('an answer that fails to be sent takes nothing from the work', async () => {
  const raw = Object.assign(new EventEmitter(), { closed: false });
  const work = createUnansweredWork();
  const begun = vi.fn(async () => ({}));
  work.start({ raw, log: { info: vi.fn(), error: vi.fn() } } as unknown as FastifyReply, begun);
  raw.once('error', () => undefined);
  raw.emit('error', new Error('The connection broke.'));
  raw.emit('close');
  await work.idle();
  expect(begun).toHaveBeenCalledOnce();
});

test('a link that could not be queued after the answer is an error in the log', async () => {
  const failing = { isOn: false };
  const dashboard = await openDashboard(({ inTransaction }) => ({
    inTransaction: async (work) => {
      if (failing.isOn) throw new Error('The connection ended.');
      return inTransaction(work);
    },
  }));
  const { email } = await dashboard.signIn('owner');
  failing.isOn = true;
  expect((await dashboard.signedInUser().post('/dashboard/sign-in', { email })).statusCode).toBe(200);
  await dashboard.app.close();
  const errors = dashboard.log.lines.filter(({ level }) => level === 'error');
  expect(errors).toMatchObject([{ msg: 'after the answer', err: { message: 'The connection ended.' } }]);
});

test('the work is tried again while the database does not answer, and not after another failure', async () => {
  const pauses: number[] = [];
  const timer = {
    start: (milliseconds: number, then: () => void) => {
      pauses.push(milliseconds);
      setImmediate(then);
      return () => undefined;
    },
  };
  const lines: unknown[] = [];
  const log = { info: (facts: object) => lines.push(facts), error: (facts: object) => lines.push(facts) };
  const reply = { raw: { closed: true }, log } as unknown as FastifyReply;
  const work = createUnansweredWork(timer);
  const failures: Error[] = Array.from(
    { length: 2 },
    () => new DomainError('store-unavailable', 'It is away.'),
  );
  work.start(reply, async () => {
    const failure = failures.shift();
    if (failure) throw failure;
    return { userId: 'jana' };
  });
  await work.idle();
  expect([pauses, lines]).toEqual([PAUSES_MS.slice(0, 2), [{ userId: 'jana' }]]);
  work.start(reply, () => Promise.reject(new Error('broken')));
  await work.idle();
  expect(pauses).toHaveLength(2);
  work.start(reply, () => Promise.reject(new DomainError('store-unavailable', 'It is away.')));
  await work.idle();
  expect(pauses).toHaveLength(2 + PAUSES_MS.length);
  expect(lines).toHaveLength(3);
});
