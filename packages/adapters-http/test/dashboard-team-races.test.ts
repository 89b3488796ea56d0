import { type Role, removeUser } from '@handover/domain';
import { describe, expect, test } from 'vitest';
import { csrfTokenOf, type OpenedDashboard, openDashboard } from './open-dashboard.ts';

const TEAM = '/dashboard/settings/team';

/** What happens `between` does so once, after the request has read the member, and before it decides. */
async function openTeam(role: Role) {
  let happen = async (): Promise<void> => undefined;
  const dashboard: OpenedDashboard = await openDashboard(({ team }) => ({
    team: {
      ...team,
      find: async (...given) => {
        const found = await team.find(...given);
        await happen();
        return found;
      },
    },
  }));
  const editor = await dashboard.signIn(role);
  const member = await dashboard.signIn('member');
  const { ports, stores, shop } = dashboard;
  const page = `${TEAM}/${member.userId}`;
  return {
    editor,
    page,
    press: async (action: string, fields: Record<string, string>, between: () => Promise<unknown>) => {
      const token = csrfTokenOf((await editor.get(page)).body);
      happen = async () => {
        happen = async () => undefined;
        await between();
      };
      return editor.post(`${page}/${action}`, { ...fields, 'form-token': token });
    },
    demote: (to: Role) =>
      stores.team.setRole(shop.orgId, editor.userId, { by: shop.ownerId, from: role, to }),
    remove: () => removeUser(ports, { orgId: shop.orgId, userId: shop.ownerId }, editor.userId, role),
    roleNow: async () => (await stores.team.find(shop.orgId, member.userId))?.role,
  };
}

describe('who may no longer change the team when they press the button', () => {
  for (const [action, fields] of [
    ['role', { role: 'admin' }],
    ['remove', {}],
  ] as const)
    test.each(['demoted', 'removed'] as const)(
      `is led to the next page, and not told something of owners: ${action}, %s`,
      async (how) => {
        const team = await openTeam('admin');
        const answer = await team.press(action, { ...fields }, () =>
          how === 'demoted' ? team.demote('member') : team.remove(),
        );
        expect([answer.statusCode, answer.headers.location]).toEqual([303, team.page]);
        expect(await team.roleNow()).toBe('member');
        const next = await team.editor.get(team.page);
        expect(next.statusCode).toBe(how === 'demoted' ? 403 : 303);
      },
    );
});
