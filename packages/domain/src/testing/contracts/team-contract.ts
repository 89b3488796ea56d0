import { createOrganisation } from '../../access/create-organisation.ts';
import type { Role } from '../../access/organisation.ts';
import { changeRole, inviteUser, removeUser } from '../../access/team.ts';
import { updateOrganisation } from '../../access/update-organisation.ts';
import type { TestRunner } from '../runner.ts';
import { openShop } from '../samples.ts';
import type { CreateStores, OpenedShop } from './harness.ts';
import { openFreshShop } from './harness.ts';

/** Who belongs to an organisation, and what its members did. */
export function teamContract({ describe, it, expect }: TestRunner, createStores: CreateStores): void {
  describe('a team', () => {
    it('grows by new users, and by users who belonged to nobody', async () => {
      const opened = await openFreshShop(createStores);
      const invited = await invite(opened, 'Jo@example.com', 'member');
      expect(invited).toMatchObject({ kind: 'invited', member: { email: 'Jo@example.com', role: 'member' } });
      const jo = invited.kind === 'invited' ? invited.member.id : '';
      expect(await removeUser(opened.stores, editorOf(opened), jo)).toEqual({ kind: 'removed' });
      expect(await listEmails(opened)).toHaveLength(1);
      const other = { ...opened, shop: await openShop(opened, 'Other') };
      const again = await invite(other, 'jo@EXAMPLE.com', 'admin');
      expect(again).toMatchObject({
        kind: 'invited',
        member: { id: jo, email: 'Jo@example.com', role: 'admin' },
      });
      expect(await invite(opened, 'jo@example.com', 'member')).toEqual({ kind: 'email-taken' });
    });

    it('of two who invite one address at once has one', async () => {
      const opened = await openFreshShop(createStores);
      const results = await Promise.all([1, 2, 3].map(() => invite(opened, 'jo@example.com', 'member')));
      expect(results.map(({ kind }) => kind).sort()).toEqual(['email-taken', 'email-taken', 'invited']);
    });

    it('always keeps an owner, also when the last two step down at once', async () => {
      const opened = await openFreshShop(createStores);
      const [first] = await opened.stores.team.list(opened.shop.orgId);
      const owner = first?.id ?? '';
      expect(await changeRole(opened.stores, editorOf(opened), owner, 'admin')).toEqual({
        kind: 'last-owner',
      });
      expect(await removeUser(opened.stores, editorOf(opened), owner)).toEqual({ kind: 'last-owner' });
      const second = await invite(opened, 'jo@example.com', 'owner');
      const ids = [owner, second.kind === 'invited' ? second.member.id : ''];
      const steps = await Promise.all(
        ids.map((id) => changeRole(opened.stores, editorOf(opened), id, 'member')),
      );
      expect(steps.map(({ kind }) => kind).sort()).toEqual(['changed', 'last-owner']);
    });

    it('lets an admin edit admins and members, and nobody else', async () => {
      const opened = await openFreshShop(createStores);
      const [first] = await opened.stores.team.list(opened.shop.orgId);
      const admin = { orgId: opened.shop.orgId, role: 'admin' } as const;
      expect(await invite(opened, 'a@example.com', 'owner', 'admin')).toEqual({ kind: 'not-allowed' });
      expect(await invite(opened, 'a@example.com', 'admin', 'member')).toEqual({ kind: 'not-allowed' });
      expect(await changeRole(opened.stores, admin, first?.id ?? '', 'admin')).toEqual({
        kind: 'not-allowed',
      });
      expect(await removeUser(opened.stores, admin, first?.id ?? '')).toEqual({ kind: 'not-allowed' });
      const invited = await invite(opened, 'a@example.com', 'member', 'admin');
      const id = invited.kind === 'invited' ? invited.member.id : '';
      expect(await changeRole(opened.stores, admin, id, 'owner')).toEqual({ kind: 'not-allowed' });
      expect(await changeRole(opened.stores, admin, id, 'admin')).toMatchObject({ kind: 'changed' });
    });

    it('of another organisation is nobody to edit', async () => {
      const opened = await openFreshShop(createStores);
      const other = await openShop(opened, 'Other');
      const [theirs] = await opened.stores.team.list(other.orgId);
      for (const id of [theirs?.id ?? '', opened.ids.next(), 'x']) {
        expect(await removeUser(opened.stores, editorOf(opened), id)).toEqual({ kind: 'unknown-user' });
      }
    });
  });

  describe('an organisation', () => {
    it('has an owner, whose name may be given at once', async () => {
      const { stores, clock, ids, apiKeys } = await openFreshShop(createStores);
      const ports = { clock, ids, apiKeys, organisations: stores.organisations, users: stores.users };
      const owner = { ownerEmail: 'jana@example.com', ownerName: 'Jana Vogel' };
      const created = await createOrganisation(ports, { name: 'Other', ...owner });
      const orgId = created.kind === 'created' ? created.organisation.id : '';
      expect(await stores.team.list(orgId)).toMatchObject([{ name: 'Jana Vogel', role: 'owner' }]);
      const nameless = { name: 'Third', ownerEmail: 'x@example.com', ownerName: ' ' };
      expect(await createOrganisation(ports, nameless)).toMatchObject({
        kind: 'invalid',
        field: 'owner-name',
      });
    });

    it('can be renamed, and its replies sent elsewhere', async () => {
      const { stores, shop } = await openFreshShop(createStores);
      const values = { name: 'Lumen Sound', email: 'help@example.com' };
      expect(await updateOrganisation(stores, shop.orgId, values)).toEqual({ kind: 'updated' });
      expect(await stores.organisations.find(shop.orgId)).toMatchObject(values);
      expect(await updateOrganisation(stores, shop.orgId, { ...values, email: 'x' })).toMatchObject({
        kind: 'invalid',
        field: 'email',
      });
      expect(await updateOrganisation(stores, 'x', values)).toEqual({ kind: 'unknown-organisation' });
    });
  });

  describe('the activity log', () => {
    it('lists what was done, newest first, a page at a time, and by subject', async () => {
      const opened = await openFreshShop(createStores);
      const { activity } = opened.stores;
      const [pads, keys] = [opened.ids.next(), opened.ids.next()];
      const entries = [pads, keys, pads].map((subjectId, at) => ({
        id: opened.ids.next(),
        at: opened.clock.now(),
        kind: 'product-changed' as const,
        subjectId,
        summary: `Change ${at}.`,
        ...(at === 0 ? { actor: 'ana@example.com' } : {}),
      }));
      for (const entry of entries) await activity.add(opened.shop.orgId, entry);
      const [first, second, third] = entries;
      const list = (query: object) =>
        activity.list(opened.shop.orgId, { subjectId: null, before: null, limit: 10, ...query });
      expect(await list({})).toEqual([third, second, first]);
      expect(await list({ limit: 1, before: third?.id })).toEqual([second]);
      expect(await list({ subjectId: pads })).toEqual([third, first]);
      const other = await openShop(opened, 'Other');
      expect(await activity.list(other.orgId, { subjectId: null, before: null, limit: 10 })).toEqual([]);
    });
  });
}

function editorOf({ shop }: OpenedShop) {
  return { orgId: shop.orgId, role: 'owner' } as const;
}

function invite(opened: OpenedShop, email: string, role: Role, as: Role = 'owner') {
  const { clock, ids, apiKeys, stores, shop } = opened;
  const editor = { orgId: shop.orgId, role: as };
  return inviteUser({ clock, ids, apiKeys, team: stores.team }, editor, { email, name: '', role });
}

async function listEmails({ stores, shop }: OpenedShop) {
  return (await stores.team.list(shop.orgId)).map(({ email }) => email);
}
