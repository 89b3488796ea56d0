import { sendsEmail } from '@handover/testkit';
import { expect, onTestFinished, test } from 'vitest';
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
  expect([waiting(), await countMails()]).toEqual([2, 0]);
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
  expect(waiting()).toBe(12);
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
