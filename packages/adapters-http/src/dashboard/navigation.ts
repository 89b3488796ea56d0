import type { Role } from '@handover/domain';
import type { Html } from '@handover/html';
import type { Access } from '../auth/access.ts';
import { boxIcon } from '../pages/icons.ts';
import type { DashboardRoute } from './dashboard-route.ts';
import {
  databaseIcon,
  downloadIcon,
  historyIcon,
  keyIcon,
  lockIcon,
  organisationIcon,
  overviewIcon,
  plugIcon,
  purchaseIcon,
  reportIcon,
  teamIcon,
  webhookIcon,
} from './parts/icons.ts';

export interface NavigationEntry {
  readonly path: string;
  readonly words: string;
  readonly icon: Html;
  readonly group: 'main' | 'settings';
  readonly access: Access;
}

/** Every page of the sidebar, in order. A page without a route is not shown. */
const PLACES: readonly Omit<NavigationEntry, 'access'>[] = [
  { path: '/overview', words: 'Overview', icon: overviewIcon, group: 'main' },
  { path: '/purchases', words: 'Purchases', icon: purchaseIcon, group: 'main' },
  { path: '/products', words: 'Products', icon: boxIcon, group: 'main' },
  { path: '/downloads', words: 'Downloads', icon: downloadIcon, group: 'main' },
  { path: '/webhook-log', words: 'Webhook log', icon: webhookIcon, group: 'main' },
  { path: '/reports', words: 'Reports', icon: reportIcon, group: 'main' },
  { path: '/settings/integrations', words: 'Integrations', icon: plugIcon, group: 'settings' },
  { path: '/settings/team', words: 'Team', icon: teamIcon, group: 'settings' },
  { path: '/settings/organisation', words: 'Organisation', icon: organisationIcon, group: 'settings' },
  { path: '/settings/api-key', words: 'API keys', icon: keyIcon, group: 'settings' },
  { path: '/settings/security', words: 'Security', icon: lockIcon, group: 'settings' },
  { path: '/settings/activity', words: 'Activity', icon: historyIcon, group: 'settings' },
  { path: '/settings/installation', words: 'Installation', icon: databaseIcon, group: 'settings' },
];

export function listNavigation(routes: readonly DashboardRoute[]): readonly NavigationEntry[] {
  return PLACES.flatMap((place) => {
    const route = routes.find(({ method, path }) => method === 'GET' && path === place.path);
    return route ? [{ ...place, access: route.access }] : [];
  });
}

/** The pages that this role may open; null: a user without an organisation. */
export function navigationFor(
  entries: readonly NavigationEntry[],
  role: Role | null,
): readonly NavigationEntry[] {
  if (role === null) return entries.filter(({ access }) => access === 'signed-in');
  return entries.filter(({ access }) => access !== 'admin' || role !== 'member');
}
