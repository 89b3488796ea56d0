import {
  lookAtSignIn,
  redeemSignIn,
  requestSignIn,
  setSubscription,
  signOutEverywhere,
} from '@handover/domain';
import { prepare } from '../runner.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';
import { CLIENT, openUser } from './open-user.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const REFUSED = { kind: 'sign-in-refused', via: 'dashboard', viaDetail: CLIENT } as const;

async function openWithLog(opened: OpenedShop, role: 'admin' | null = 'admin') {
  const user = await openUser(opened, role);
  const query = { subjectId: user.userId, before: null, limit: 100 };
  return { ...user, listEntries: () => user.activity.list(user.orgId, query) };
}

type Opened = Awaited<ReturnType<typeof openWithLog>>;

/** Requests links until no more are mailed, from another network each time. */
async function askTooOften(opened: Opened, email = opened.email, times = 6) {
  const ask = () => requestSignIn(opened, { email, network: opened.ids.next(), client: CLIENT });
  let asked = await ask();
  for (let count = 1; count < times; count += 1) asked = await ask();
  return asked;
}

/** The activity log's entries about signing in. */
export function signInLogContract(runner: StoresRunner): void {
  const { describe, it, expect } = prepare(runner, (opened) => openWithLog(opened));

  describe('the log of sign-ins', () => {
    it('names the user, the way of signing in, and that the link came from the command line', async (opened) => {
      const { email, userId: subjectId } = opened;
      const redeemed = await redeemSignIn(opened, await opened.issueToken(), CLIENT);
      expect(redeemed.kind).toBe('signed-in');
      const summary = `A sign-in link for ${email} was issued by command line.`;
      expect(await opened.listEntries()).toMatchObject([
        { kind: 'signed-in', subjectId, summary: `${email} signed in.`, actor: email, viaDetail: CLIENT },
        { kind: 'sign-in-link-issued', subjectId, summary, via: 'command-line' },
      ]);
    });

    it('says that the subscription keeps the dashboard closed', async (opened) => {
      await setSubscription(opened, opened.orgId, opened.clock.now());
      await redeemSignIn(opened, await opened.issueToken(), CLIENT);
      const [entry] = await opened.listEntries();
      expect(entry?.summary.endsWith('The subscription has expired, so the dashboard stays closed.')).toBe(
        true,
      );
    });

    it('says why a link was refused, and names nobody as the one who tried', async (opened) => {
      const [used, withdrawn] = [await opened.issueToken(), await opened.issueToken()];
      await redeemSignIn(opened, used, CLIENT);
      expect(await redeemSignIn(opened, used, CLIENT)).toMatchObject({ refusal: 'used' });
      await signOutEverywhere(opened, opened.userId);
      expect(await lookAtSignIn(opened, withdrawn, CLIENT)).toMatchObject({ refusal: 'withdrawn' });
      const expired = await opened.issueToken();
      opened.clock.advance(15 * MINUTE);
      // Another link was requested meanwhile.
      await opened.issueToken();
      const refused = await redeemSignIn(opened, expired, CLIENT);
      expect(refused).toEqual({ kind: 'spent', refusal: 'expired', userId: opened.userId });
      const entries = await opened.listEntries();
      const refusals = entries.filter(({ kind }) => kind === 'sign-in-refused');
      expect(refusals).toMatchObject([
        { ...REFUSED, summary: `A sign-in of ${opened.email} was refused: the link had expired.` },
        { ...REFUSED, summary: `A sign-in of ${opened.email} was refused: the link had been withdrawn.` },
        { ...REFUSED, summary: `A sign-in of ${opened.email} was refused: the link had been used before.` },
      ]);
      expect(refusals.filter((entry) => 'actor' in entry)).toEqual([]);
    });

    it('says that too many links were requested, only for users', async (opened) => {
      expect(await askTooOften(opened)).toMatchObject({ kind: 'too-often', userId: opened.userId });
      const summary = `A sign-in of ${opened.email} was refused: too many links were asked for.`;
      expect(await opened.listEntries()).toMatchObject([{ ...REFUSED, summary }]);
      const nobody = await askTooOften(opened, `${opened.ids.next()}@example.com`);
      expect(nobody).toMatchObject({ kind: 'too-often', userId: null });
      expect(await opened.listEntries()).toHaveLength(1);
    });

    it('is not flooded by strangers: beyond five refusals an hour one entry counts', async (opened) => {
      await askTooOften(opened, opened.email, 5 + 20);
      const summaries = async () => (await opened.listEntries()).map(({ summary }) => summary);
      expect(await summaries()).toHaveLength(6);
      expect((await summaries())[0]).toBe(
        `More sign-ins of ${opened.email} were refused within an hour: 15.`,
      );
      opened.clock.advance(HOUR);
      await askTooOften(opened);
      expect(await summaries()).toHaveLength(7);
      expect((await summaries())[0]).toBe(
        `A sign-in of ${opened.email} was refused: too many links were asked for.`,
      );
    });

    it('counts all of those that are refused at once', async (opened) => {
      const token = await opened.issueToken();
      await redeemSignIn(opened, token, CLIENT);
      await Promise.all(Array.from({ length: 12 }, () => redeemSignIn(opened, token, CLIENT)));
      const refusals = (await opened.listEntries()).filter(({ kind }) => kind === 'sign-in-refused');
      expect(refusals).toHaveLength(6);
      expect(refusals.map(({ summary }) => summary).filter((text) => text.endsWith('hour: 7.'))).toHaveLength(
        1,
      );
    });

    it('has no entry of a user who belongs to no organisation', async (other) => {
      const opened = await openWithLog(other, null);
      const token = await opened.issueToken();
      expect((await redeemSignIn(opened, token, CLIENT)).kind).toBe('signed-in');
      expect(await redeemSignIn(opened, token, CLIENT)).toMatchObject({
        refusal: 'used',
        userId: opened.userId,
      });
      expect(await opened.listEntries()).toEqual([]);
    });

    it('is written in the same transaction as the session', async (opened) => {
      const token = await opened.issueToken();
      const dying: Opened = {
        ...opened,
        inTransaction: (work) =>
          opened.stores.inTransaction((stores) =>
            work({
              ...stores,
              activity: { ...stores.activity, add: () => Promise.reject(new Error('It ended here.')) },
            }),
          ),
      };
      await redeemSignIn(dying, token, CLIENT).then(
        () => {
          throw new Error('Nobody noticed.');
        },
        (error: Error) => expect(error.message).toBe('It ended here.'),
      );
      expect((await lookAtSignIn(opened, token, CLIENT)).kind).toBe('open');
    });
  });
}
