import type { TestRunner } from '../runner.ts';
import { claimIdOf } from '../settle-mails.ts';
import { DUE_MAILS, ENDINGS } from './due-mails.ts';
import type { CreateStores } from './harness.ts';
import { openFreshShop } from './harness.ts';

/** Each kind of mail is claimed in the same way. */
export function claimsContract({ describe, it, expect }: TestRunner, createStores: CreateStores): void {
  for (const [name, openMail] of Object.entries(DUE_MAILS)) {
    describe(`the claim of ${name}`, () => {
      const open = async () => {
        const opened = await openFreshShop(createStores);
        return { ...opened, mail: await openMail(opened) };
      };

      for (const ending of ENDINGS) {
        it(`that lapsed and was taken over changes nothing any more, though its answer is ${ending}`, async () => {
          const { mail, lapseClaims, queuedJobs } = await open();
          const first = claimIdOf(await mail.claim());
          await lapseClaims();
          const second = claimIdOf(await mail.claim());
          expect(second === first).toBe(false);
          const jobs = await queuedJobs();
          expect(await mail.settle(first, ending)).toBe('not-held');
          await mail.release(first);
          expect((await mail.claim()).kind).toBe('not-now');
          expect(await queuedJobs()).toEqual(jobs);
          expect(await mail.settle(second, ending)).toBe('settled');
        });

        it(`that lapsed is held until somebody takes it over: its answer ${ending} counts`, async () => {
          const { mail, lapseClaims } = await open();
          const claimId = claimIdOf(await mail.claim());
          await lapseClaims();
          expect(await mail.settle(claimId, ending)).toBe('settled');
          expect((await mail.claim()).kind).toBe(ending === 'for-good' ? 'settled' : 'not-now');
        });

        it(`ends once: ${ending}`, async () => {
          const { mail } = await open();
          const claimId = claimIdOf(await mail.claim());
          expect(await mail.settle(claimId, ending)).toBe('settled');
          expect(await mail.settle(claimId, ending)).toBe('not-held');
        });
      }

      it('that nobody renews keeps others off for a while, and then lapses', async () => {
        const { mail, lapseClaims } = await open();
        expect((await mail.claim()).kind).toBe('claimed');
        await lapseClaims(10_000);
        expect((await mail.claim()).kind).toBe('not-now');
        await lapseClaims();
        expect((await mail.claim()).kind).toBe('claimed');
        expect((await mail.claim()).kind).toBe('not-now');
      });

      it('that is given back lets the next one take it at once, as if it had not been taken', async () => {
        const { mail } = await open();
        const first = await mail.claim();
        await mail.release(claimIdOf(first));
        expect(await mail.settle(claimIdOf(first), 'for-good')).toBe('not-held');
        const second = await mail.claim();
        expect({ ...second, claimId: '' }).toEqual({ ...first, claimId: '' });
        expect(await mail.settle(claimIdOf(second), 'for-good')).toBe('settled');
      });

      it('is nobody else’s: an unknown one, or another organisation, ends nothing', async () => {
        const { mail } = await open();
        const claimId = claimIdOf(await mail.claim());
        expect(await mail.settle('nonsense', 'for-good')).toBe('not-held');
        await mail.release('nonsense');
        expect(await mail.elsewhere.settle(claimId, 'for-good')).toBe('not-held');
        await mail.elsewhere.release(claimId);
        expect((await mail.claim()).kind).toBe('not-now');
        expect(await mail.settle(claimId, 'for-good')).toBe('settled');
      });
    });
  }
}
