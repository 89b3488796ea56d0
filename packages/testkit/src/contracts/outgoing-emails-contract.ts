import { NO_ORGANISATION } from '@handover/domain';
import { claimEmail, claimIdOf } from '../complete-emails.ts';
import { prepare } from '../runner.ts';
import { DUE_MAILS, ENDINGS, laterThan } from './due-mails.ts';
import type { StoresRunner } from './harness.ts';
import { sell } from './shop-actions.ts';

const DAY = 24 * 60 * 60 * 1000;

/** E-mails of all kinds are claimed, postponed and completed in the same way. Particulars of a kind are in its own suite. */
export function outgoingEmailsContract(runner: StoresRunner): void {
  const { describe, it, expect } = runner;

  for (const [name, openMail] of Object.entries(DUE_MAILS)) {
    describe(`the claim of ${name}`, () => {
      const { it } = prepare(runner, async (opened) => ({ ...opened, mail: await openMail(opened) }));

      for (const ending of ENDINGS) {
        it(`that expired and was taken over changes nothing any more, though its answer is ${ending}`, async (opened) => {
          const { mail, expireClaims, queuedJobs } = opened;
          const first = claimIdOf(await mail.claim());
          await expireClaims();
          const second = claimIdOf(await mail.claim());
          expect(second === first).toBe(false);
          const jobs = await queuedJobs();
          expect(await mail.complete(first, ending)).toBe('not-held');
          await mail.release(first);
          expect((await mail.claim()).kind).toBe('not-now');
          expect(await queuedJobs()).toEqual(jobs);
          expect(await mail.complete(second, ending)).toBe('completed');
        });

        it(`that expired is held until somebody takes it over: its answer ${ending} counts`, async (opened) => {
          const { mail, expireClaims } = opened;
          const claimId = claimIdOf(await mail.claim());
          await expireClaims();
          expect(await mail.complete(claimId, ending)).toBe('completed');
          expect((await mail.claim()).kind).toBe(ending === 'sent' ? 'not-pending' : 'not-now');
        });

        it(`ends once: ${ending}`, async ({ mail }) => {
          const claimId = claimIdOf(await mail.claim());
          expect(await mail.complete(claimId, ending)).toBe('completed');
          expect(await mail.complete(claimId, ending)).toBe('not-held');
        });
      }

      it('is had by one only, however many ask for it at once', async ({ mail }) => {
        const claims = await Promise.all(Array.from({ length: 10 }, () => mail.claim()));
        const kinds = claims.map(({ kind }) => kind).sort();
        expect(kinds).toEqual(['claimed', ...Array.from({ length: 9 }, () => 'not-now')]);
      });

      for (const ending of ['sent', 'refused'] as const) {
        it(`leaves nothing to do once it was ${ending}`, async ({ mail, clock }) => {
          await mail.complete(claimIdOf(await mail.claim()), ending);
          clock.advance(DAY);
          expect(await mail.claim()).toEqual({ kind: 'not-pending' });
        });
      }

      for (const ending of ['try-again', 'postponed'] as const) {
        it(`of one that is put off (${ending}) is had again when its job is due; only what failed is a try`, async (opened) => {
          const { mail, clock, dropJobs, queuedJobs } = opened;
          const claim = await mail.claim();
          // A worker removes the job of the e-mail that it claimed.
          await dropJobs([mail.job]);
          await mail.complete(claimIdOf(claim), ending);
          const nextTryAt = laterThan(clock.now());
          expect(await mail.claim()).toEqual({ kind: 'not-now', at: nextTryAt });
          const jobs = (await queuedJobs()).filter(
            (job) => 'emailId' in job && job.emailId === mail.job.emailId,
          );
          expect(jobs).toEqual([{ ...mail.job, startAfter: nextTryAt }]);
          // If nothing was tried, the time for retries starts again.
          const pendingSince = claim.kind === 'claimed' ? claim.email.pendingSince : null;
          const email =
            ending === 'try-again' ? { attempts: 1, pendingSince } : { attempts: 0, pendingSince: nextTryAt };
          expect(await mail.claim(nextTryAt)).toMatchObject({ kind: 'claimed', email });
        });
      }

      it('is not given to another organisation, nor for an unknown e-mail', async (opened) => {
        const { mail, stores, clock } = opened;
        expect(await mail.elsewhere.claim()).toEqual({ kind: 'not-pending' });
        for (const orgId of [mail.job.orgId, 'nonsense']) {
          expect(await claimEmail(stores, orgId, 'nonsense', clock.now())).toEqual({ kind: 'not-pending' });
        }
        expect((await mail.claim()).kind).toBe('claimed');
      });

      it('that nobody renews excludes others for a while, and then expires', async (opened) => {
        const { mail, expireClaims } = opened;
        expect((await mail.claim()).kind).toBe('claimed');
        await expireClaims(10_000);
        expect((await mail.claim()).kind).toBe('not-now');
        await expireClaims();
        expect((await mail.claim()).kind).toBe('claimed');
        expect((await mail.claim()).kind).toBe('not-now');
      });

      it('that is released can be taken at once, as if it had not been taken', async ({ mail }) => {
        const first = await mail.claim();
        await mail.release(claimIdOf(first));
        expect(await mail.complete(claimIdOf(first), 'sent')).toBe('not-held');
        const second = await mail.claim();
        expect({ ...second, claimId: '' }).toEqual({ ...first, claimId: '' });
        expect(await mail.complete(claimIdOf(second), 'sent')).toBe('completed');
      });

      it('is nobody else’s: an unknown one, or another organisation, ends nothing', async ({ mail }) => {
        const claimId = claimIdOf(await mail.claim());
        expect(await mail.complete('nonsense', 'sent')).toBe('not-held');
        await mail.release('nonsense');
        expect(await mail.elsewhere.complete(claimId, 'sent')).toBe('not-held');
        await mail.elsewhere.release(claimId);
        expect((await mail.claim()).kind).toBe('not-now');
        expect(await mail.complete(claimId, 'sent')).toBe('completed');
      });
    });
  }

  it('is released at once when the e-mail cannot be prepared', async (opened) => {
    const { stores, clock, ids } = opened;
    await sell(opened);
    const mailId = ids.next();
    await stores.downloadLinkEmails.requestAll({ mailId, email: 'ana@example.com', at: clock.now() });
    const claim = (newLinkId: () => string) =>
      stores.outgoingEmails.claim(NO_ORGANISATION, mailId, clock.now(), newLinkId);
    const problem = await claim(() => {
      throw new Error('no more ids');
    }).catch((error: unknown) => String(error));
    expect(problem).toBe('Error: no more ids');
    expect((await claim(() => ids.next())).kind).toBe('claimed');
  });
}
