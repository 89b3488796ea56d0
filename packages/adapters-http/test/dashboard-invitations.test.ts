import type { EmailOutcome } from '@handover/domain';
import { createUser } from '@handover/domain';
import { completeEmail, openShop } from '@handover/testkit';
import { describe, expect } from 'vitest';
import { decodeHtml, type OpenedDashboard, openDashboard, type SignedInUser } from './open-dashboard.ts';
import { bearer } from './open-test-shop.ts';
import { test } from './test-in-shop.ts';

const TEAM = '/dashboard/settings/team';
const DAY = 24 * 60 * 60 * 1000;

function invite(signedInUser: SignedInUser, fields: Record<string, string> = {}) {
  const form = { email: 'bea@example.com', name: 'Bea', role: 'member', ...fields };
  return signedInUser.submit(`${TEAM}/invite`, `${TEAM}/invite`, form);
}

async function findInvitation(
  dashboard: OpenedDashboard,
  email = 'bea@example.com',
  orgId = dashboard.shop.orgId,
) {
  const found = (await dashboard.ports.invitations.list(orgId)).find(
    (invitation) => invitation.email === email,
  );
  if (!found) throw new Error(`Nobody has invited ${email}.`);
  const link = new URL(dashboard.ports.invitationTokens.url(orgId, found.id)).pathname;
  return { ...found, link, page: `${TEAM}/invitations/${found.id}` };
}

async function openInvited(fields: Record<string, string> = {}) {
  const dashboard = await openDashboard();
  const owner = await dashboard.signIn('owner');
  const answer = await invite(owner, fields);
  if (answer.statusCode !== 303) throw new Error(answer.body);
  return { ...dashboard, owner, invitation: await findInvitation(dashboard, fields.email) };
}

async function readLog({ ports, shop }: OpenedDashboard) {
  const entries = await ports.activity.list(shop.orgId, { subjectId: null, before: null, limit: 5 });
  return entries.filter(({ kind }) => kind === 'team-changed').map(({ summary, actor }) => [summary, actor]);
}

describe('an invitation', () => {
  test('is mailed, listed and logged, but does not create a member', async () => {
    const invited = await openInvited();
    const jobs = (await invited.stores.queuedJobs()).filter(({ kind }) => kind.startsWith('send-'));
    expect(jobs).toMatchObject([
      { kind: 'send-email', emailKind: 'invitation', emailId: invited.invitation.id },
    ]);
    const { body } = await invited.owner.get(TEAM);
    expect(body).toContain('An invitation is on its way to Bea');
    expect(body).toContain('Open invitations');
    expect(body).toContain('bea@example.com');
    expect(await invited.ports.team.list(invited.shop.orgId)).toHaveLength(2);
    expect(await readLog(invited)).toEqual([
      ['Bea (bea@example.com) was invited as a member.', invited.owner.email],
    ]);
  });

  test('has the same answer for users of other organisations, users without one, and unknown addresses', async () => {
    const answers = await Promise.all(
      ['other', 'none', 'unknown'].map(async (kind) => {
        const dashboard = await openDashboard();
        const owner = await dashboard.signIn('owner');
        const other = await openShop({ ...dashboard.ports, stores: dashboard.stores }, 'Other');
        const membership = kind === 'other' ? ({ orgId: other.orgId, role: 'owner' } as const) : null;
        const email = 'bea@example.com';
        if (kind !== 'unknown') await createUser(dashboard.ports, { email, name: 'Beatrix', membership });
        const { statusCode, headers } = await invite(owner);
        const page = await owner.get(TEAM);
        const seen = page.body.replaceAll(
          /value="[^"]*"|content="[^"]*"|[0-9a-f]{8}-[0-9a-f-]{27}|\S+@example\.com/g,
          '',
        );
        return [statusCode, headers.location, seen];
      }),
    );
    expect(answers[0]?.[0]).toBe(303);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  test('is refused for members and for invited people of the own team', async () => {
    const invited = await openInvited();
    const again = await invite(invited.owner);
    expect(again.statusCode).toBe(400);
    expect(again.body).toContain('There is an open invitation for this address.');
    const member = await invite(invited.owner, { email: invited.owner.email.toUpperCase() });
    expect(member.body).toContain('This person is in your team already.');
  });

  test('can be sent again three times an hour in all', async () => {
    const invited = await openInvited();
    const again = () => invited.owner.submit(TEAM, `${invited.invitation.page}/resend`);
    for (let sent = 0; sent < 2; sent += 1) expect((await again()).statusCode).toBe(303);
    expect((await readLog(invited))[0]?.[0]).toBe('The invitation of Bea (bea@example.com) was sent again.');
    const refused = await again();
    expect(refused.statusCode).toBe(400);
    expect(decodeHtml(refused.body)).toMatch(/role="alert"[\s\S]*You can send another in 1 hour\./);
  });

  test('is withdrawn after a confirmation', async () => {
    const invited = await openInvited();
    expect((await invited.owner.get(TEAM)).body).toContain('Withdraw the invitation of Bea?');
    expect((await invited.owner.submit(TEAM, `${invited.invitation.page}/withdraw`)).statusCode).toBe(303);
    expect((await readLog(invited))[0]?.[0]).toBe('The invitation of Bea (bea@example.com) was withdrawn.');
    expect((await invited.signedInUser().post(invited.invitation.link)).statusCode).toBe(410);
    expect((await invited.owner.submit(TEAM, `${invited.invitation.page}/withdraw`)).statusCode).toBe(404);
  });

  test('to the role of owner needs an owner', async () => {
    const invited = await openInvited({ role: 'owner' });
    const admin = await invited.signIn('admin');
    for (const action of ['resend', 'withdraw']) {
      const answer = await admin.submit(TEAM, `${invited.invitation.page}/${action}`);
      expect(answer.statusCode).toBe(400);
      expect(answer.body).toContain('Only an owner may send or withdraw the invitation of an owner.');
    }
  });

  test('shows the state of its mail', async () => {
    const invited = await openInvited();
    const { ports, clock, shop, invitation, owner } = invited;
    const complete = async (outcome: EmailOutcome) => {
      await completeEmail(ports, shop.orgId, invitation.id, clock.now(), outcome);
      return (await owner.get(TEAM)).body;
    };
    const answer = '451 try <later>';
    const waiting = await complete({
      kind: 'try-again',
      at: clock.now(),
      answer,
      reason: answer,
      nextTryAt: clock.now(),
    });
    expect(waiting).not.toContain('<later>');
    expect(decodeHtml(waiting)).toMatch(/Pending[\s\S]*451 try <later>/);
    const no = '550 no such user';
    expect(await complete({ kind: 'refused', at: clock.now(), answer: no, reason: no })).toMatch(
      /Refused[\s\S]*550 no such user/,
    );
    await owner.submit(TEAM, `${invitation.page}/resend`);
    expect(await complete({ kind: 'sent', at: clock.now(), answer: '250 OK' })).toMatch(
      /Sent[\s\S]*Valid until/,
    );
    clock.advance(7 * DAY);
    expect((await (await invited.signIn('owner')).get(TEAM)).body).toMatch(/Expired[\s\S]*Expired on/);
  });
});

describe('the page of an invitation', () => {
  test('shows the inviter, the organisation and the role, and accepts only by its button', async () => {
    const invited = await openInvited({ role: 'admin' });
    const bea = invited.signedInUser();
    for (let looks = 0; looks < 2; looks += 1) {
      const { statusCode, body } = await bea.get(invited.invitation.link);
      expect(statusCode).toBe(200);
      expect(body).toContain('<bdi>Jana Vogel</bdi></strong> invites you to the team of');
      expect(body).toContain('Lumen Audio');
      expect(body).toContain('as an admin');
      expect(body).toContain('bea@example.com');
    }
    expect(await invited.ports.team.list(invited.shop.orgId)).toHaveLength(2);
    const accepted = await bea.post(invited.invitation.link);
    expect([accepted.statusCode, accepted.headers.location]).toEqual([303, '/dashboard']);
    expect((await bea.get(TEAM)).body).toContain('You have joined Lumen Audio');
    expect((await bea.get(TEAM)).body).toContain('bea@example.com');
    expect((await readLog(invited))[0]).toEqual([
      'Bea (bea@example.com) accepted the invitation and joined as admin.',
      'bea@example.com',
    ]);
  });

  test('greets a member when it is opened again', async () => {
    const invited = await openInvited();
    await invited.signedInUser().post(invited.invitation.link);
    for (const answer of [
      await invited.signedInUser().get(invited.invitation.link),
      await invited.signedInUser().post(invited.invitation.link),
    ]) {
      expect(answer.statusCode).toBe(200);
      expect(answer.body).toContain('You are in the team of Lumen Audio');
      expect(answer.cookies).toEqual([]);
    }
  });

  test('tells a member of another organisation what to do, and changes nothing', async () => {
    const invited = await openInvited();
    const other = await openShop({ ...invited.ports, stores: invited.stores }, 'Other <Shop>');
    const membership = { orgId: other.orgId, role: 'admin' } as const;
    const created = await createUser(invited.ports, { email: 'bea@example.com', name: null, membership });
    for (const answer of [
      await invited.signedInUser().get(invited.invitation.link),
      await invited.signedInUser().post(invited.invitation.link),
    ]) {
      expect(answer.statusCode).toBe(409);
      expect(answer.body).toContain('a user belongs to one organisation at most');
      expect(answer.body).not.toContain('<Shop>');
      expect(decodeHtml(answer.body)).toContain('Leave <bdi>Other <Shop></bdi> first');
    }
    const userId = created.kind === 'created' ? created.user.id : '';
    expect(await invited.ports.team.find(other.orgId, userId)).toMatchObject({ role: 'admin' });
  });

  test('reports an expired invitation, an expired subscription and an unknown link', async () => {
    const invited = await openInvited();
    const { invitation, ports, shop, clock } = invited;
    await ports.organisations.setSubscription(shop.orgId, clock.now(), null);
    const waiting = await invited.signedInUser().post(invitation.link);
    expect([waiting.statusCode, waiting.body.includes('The subscription of')]).toEqual([409, true]);
    clock.advance(7 * DAY);
    const expired = await invited.signedInUser().get(invitation.link);
    expect([expired.statusCode, expired.body.includes('It was valid for 7 days')]).toEqual([410, true]);
    expect((await invited.signedInUser().get(`${invitation.link}x`)).statusCode).toBe(410);
  });

  test('rejects a form of another site', async () => {
    const invited = await openInvited();
    const answer = await invited
      .signedInUser()
      .post(invited.invitation.link, {}, { 'sec-fetch-site': 'cross-site' });
    expect(answer.statusCode).toBe(403);
    expect(await invited.ports.team.list(invited.shop.orgId)).toHaveLength(2);
  });
});

describe('a removed member', () => {
  test('is signed out at once, and the API key stops working', async ({ dashboard, owner, member }) => {
    const key = /<code>([^<]+)</.exec((await member.get('/dashboard/settings/api-key?show')).body)?.[1] ?? '';
    const call = async () =>
      (await dashboard.app.inject({ url: '/api/products', headers: bearer(key) })).statusCode;
    expect([await call(), (await member.get('/dashboard/products')).statusCode]).toEqual([200, 200]);
    const address = `${TEAM}/${member.userId}`;
    expect((await owner.submit(address, `${address}/remove`)).statusCode).toBe(303);
    expect([await call(), (await member.get('/dashboard/products')).headers.location]).toEqual([
      401,
      '/dashboard/sign-in?to=%2Fdashboard%2Fproducts',
    ]);
  });

  test('loses access with the next request after becoming a member only', async ({ owner, admin }) => {
    expect((await admin.get(TEAM)).statusCode).toBe(200);
    const address = `${TEAM}/${admin.userId}`;
    await owner.submit(address, `${address}/role`, { role: 'member' });
    expect((await admin.get(TEAM)).statusCode).toBe(403);
    expect((await admin.get('/dashboard/products')).statusCode).toBe(200);
  });
});
