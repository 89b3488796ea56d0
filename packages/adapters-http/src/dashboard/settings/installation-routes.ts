import { type DashboardRoute, page } from '../dashboard-route.ts';
import { installationPage } from './installation-page.ts';
import type { InstallationDoctor } from './installation-report.ts';

export const INSTALLATION_PATH = '/settings/installation';

/** What `handover doctor` says, for owners who operate the installation. For everybody else there is no such page. */
export function installationRoutes(doctor: InstallationDoctor): readonly DashboardRoute[] {
  return [
    page(INSTALLATION_PATH, 'admin', async ({ role, user }) => {
      if (role !== 'owner' || !doctor.isOperator(user.email)) return { kind: 'not-found' };
      return installationPage(await doctor.check());
    }),
  ];
}
