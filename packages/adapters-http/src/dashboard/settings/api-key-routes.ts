import { refreshApiKey, runAuditedAction, showApiKey } from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { action, type DashboardRoute, page } from '../dashboard-route.ts';
import { apiKeyPage } from './api-key-page.ts';

type Ports = Pick<HttpPorts, 'apiKeys' | 'clock' | 'ids' | 'inTransaction' | 'users'>;

/** Shows and replaces the user's own API key: for any role, also without an organisation. */
export function apiKeyRoutes(ports: Ports): readonly DashboardRoute[] {
  return [
    page('/settings/api-key', 'signed-in', async ({ user, csrfToken, query }) => {
      const key = query.has('show') ? await showApiKey(ports, user.userId) : null;
      return apiKeyPage({ key, role: user.membership?.role ?? null, csrfToken });
    }),

    action('/settings/api-key/refresh', 'signed-in', async ({ user, by }) => {
      const { userId, email, membership } = user;
      const summary = `${email} has a new API key; the one before is invalid.`;
      await runAuditedAction(
        ports,
        { orgId: membership?.orgId ?? null, by },
        (within) => refreshApiKey(within, userId),
        ({ kind }) =>
          kind === 'refreshed' ? { kind: 'api-key-refreshed', subjectId: userId, summary } : null,
      );
      const toast = { title: 'You have a new API key', sentence: 'The one before is invalid from now on.' };
      return { kind: 'redirect', to: '/dashboard/settings/api-key?show', toast };
    }),
  ];
}
