import {
  changeRole,
  createOrganisation,
  createUser,
  inviteUser,
  type Role,
  removeUser,
  updateOrganisation,
} from '@handover/domain';
import { prepare } from '../runner.ts';
import { openShop } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';

/** The members of an organisation and their roles. */
export function teamContract(runner: StoresRunner): void {
  const { describe, it, expect } = runner;

  describe('a team', () => {
    const { it } = prepare(runner, openTeam);

    it('always keeps an owner, also when the last two step down at once', async (prepared) => {
      const { opened, owner, setRole, remove } = prepared;
      expect(await setRole(owner, owner, { from: 'owner', to: 'admin' })).toEqual({ kind: 'last-owner' });
      expect(await remove(owner, owner, 'owner')).toEqual({ kind: 'last-owner' });
      const ids = [owner, await join(opened, 'jo@example.com', 'owner')];
      const steps = await Promise.all(ids.map((id) => setRole(id, id, { from: 'owner', to: 'member' })));
      expect(steps.map(({ kind }) => kind).sort()).toEqual(['changed', 'last-owner']);
    });

    it('of two owners who leave at once keeps one', async ({ opened, owner, remove }) => {
      const ids = [owner, await join(opened, 'jo@example.com', 'owner')];
      const steps = await Promise.all(ids.map((id) => remove(id, id, 'owner')));
      expect(steps.map(({ kind }) => kind).sort()).toEqual(['last-owner', 'removed']);
    });

    for (const [what, change] of [
      ['remove', (team: Team, by: string, id: string) => team.remove(by, id, 'owner')],
      [
        'demote',
        (team: Team, by: string, id: string) => team.setRole(by, id, { from: 'owner', to: 'member' }),
      ],
    ] as const)
      it(`of two owners who ${what} each other at once keeps one, also beside a third owner`, async (team) => {
        const jo = await join(team.opened, 'jo@example.com', 'owner');
        await join(team.opened, 'kim@example.com', 'owner');
        const steps = await Promise.all([change(team, team.owner, jo), change(team, jo, team.owner)]);
        expect(steps.filter(({ kind }) => kind === 'not-allowed')).toHaveLength(1);
        const left = await team.opened.stores.team.list(team.opened.shop.orgId);
        expect(left.filter(({ role }) => role === 'owner')).toHaveLength(2);
      });

    it('allows an admin to edit admins and members only', async ({ opened, owner, setRole, remove }) => {
      const admin = await join(opened, 'admin@example.com', 'admin');
      expect(await invite(opened, 'a@example.com', 'owner', 'admin')).toEqual({ kind: 'not-allowed' });
      expect(await invite(opened, 'a@example.com', 'admin', 'member')).toEqual({ kind: 'not-allowed' });
      expect(await setRole(admin, owner, { from: 'owner', to: 'admin' })).toEqual({ kind: 'not-allowed' });
      expect(await remove(admin, owner, 'owner')).toEqual({ kind: 'not-allowed' });
      const id = await join(opened, 'a@example.com', 'member');
      expect(await setRole(admin, id, { from: 'member', to: 'owner' })).toEqual({ kind: 'not-allowed' });
      expect(await setRole(admin, admin, { from: 'admin', to: 'owner' })).toEqual({ kind: 'not-allowed' });
      expect(await setRole(admin, id, { from: 'member', to: 'admin' })).toEqual({ kind: 'changed' });
    });

    it('allows a member to leave, and to change nobody', async ({ opened, owner, setRole, remove }) => {
      const member = await join(opened, 'member@example.com', 'member');
      const other = await join(opened, 'a@example.com', 'member');
      expect(await setRole(member, member, { from: 'member', to: 'admin' })).toEqual({ kind: 'not-allowed' });
      expect(await remove(member, other, 'member')).toEqual({ kind: 'not-allowed' });
      expect(await remove(member, member, 'member')).toEqual({ kind: 'removed' });
      // A page from before the change is still open.
      expect(await remove(member, other, 'member')).toEqual({ kind: 'not-allowed' });
      expect(await remove(owner, other, 'member')).toEqual({ kind: 'removed' });
    });

    it('is edited by nobody of another organisation, and by nobody who is unknown', async (prepared) => {
      const { opened, setRole } = prepared;
      const member = await join(opened, 'member@example.com', 'member');
      const other = await openShop(opened, 'Other');
      for (const by of [other.ownerId, opened.ids.next(), 'nonsense'])
        expect(await setRole(by, member, { from: 'member', to: 'admin' })).toEqual({ kind: 'not-allowed' });
    });

    it('changes nothing of a member whose role is another by now', async (prepared) => {
      const { opened, owner, setRole, remove } = prepared;
      const member = await join(opened, 'member@example.com', 'member');
      expect(await setRole(owner, member, { from: 'owner', to: 'admin' })).toEqual({ kind: 'unknown-user' });
      expect(await remove(owner, member, 'admin')).toEqual({ kind: 'unknown-user' });
      expect(await opened.team.find(opened.shop.orgId, member)).toMatchObject({ role: 'member' });
    });

    it('of another organisation cannot be edited', async ({ opened, owner, remove }) => {
      const other = await openShop(opened, 'Other');
      for (const id of [other.ownerId, opened.ids.next(), 'x']) {
        expect(await remove(owner, id, 'owner')).toEqual({ kind: 'unknown-user' });
      }
    });
  });

  describe('an organisation', () => {
    it('has an owner, whose name may be given at once', async (opened) => {
      const { stores } = opened;
      const owner = { ownerEmail: 'jana@example.com', ownerName: 'Jana Vogel' };
      const created = await createOrganisation(opened, { name: 'Other', ...owner });
      const orgId = created.kind === 'created' ? created.organisation.id : '';
      expect(await stores.team.list(orgId)).toMatchObject([{ name: 'Jana Vogel', role: 'owner' }]);
      const nameless = { name: 'Third', ownerEmail: 'x@example.com', ownerName: ' ' };
      expect(await createOrganisation(opened, nameless)).toMatchObject({
        kind: 'invalid',
        field: 'owner-name',
      });
    });

    it('can be renamed, and its replies sent elsewhere', async ({ stores, shop }) => {
      const values = { name: 'Lumen Sound', email: 'help@example.com' };
      expect(await updateOrganisation(stores, shop.orgId, values)).toEqual({
        kind: 'updated',
        isChanged: true,
      });
      expect(await updateOrganisation(stores, shop.orgId, values)).toEqual({
        kind: 'updated',
        isChanged: false,
      });
      expect(await stores.organisations.find(shop.orgId)).toMatchObject(values);
      expect(await updateOrganisation(stores, shop.orgId, { ...values, email: 'x' })).toMatchObject({
        kind: 'invalid',
        field: 'email',
      });
      expect(await updateOrganisation(stores, 'x', values)).toEqual({ kind: 'unknown-organisation' });
    });
  });
}

type Team = Awaited<ReturnType<typeof openTeam>>;

/** A shop with its owner, and actions of a user on another. */
async function openTeam(opened: OpenedShop) {
  const { orgId, ownerId } = opened.shop;
  return {
    opened,
    owner: ownerId,
    setRole: (userId: string, id: string, role: { readonly from: Role; readonly to: Role }) =>
      changeRole(opened, { orgId, userId }, id, role),
    remove: (userId: string, id: string, from: Role) => removeUser(opened, { orgId, userId }, id, from),
  };
}

/** Adds a member as the operator of the installation does. */
async function join(opened: OpenedShop, email: string, role: Role): Promise<string> {
  const membership = { orgId: opened.shop.orgId, role };
  const created = await createUser(opened, { email, name: null, membership });
  return created.kind === 'created' ? created.user.id : created.kind;
}

async function invite(opened: OpenedShop, email: string, role: Role, as: Role) {
  const inviter = { orgId: opened.shop.orgId, userId: opened.shop.ownerId, role: as };
  return inviteUser(opened, inviter, { email, name: '', role });
}
