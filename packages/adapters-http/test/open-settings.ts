import { openDashboard } from './open-dashboard.ts';

/** A shop whose owner is signed in, to see to its integrations. */
export async function openSettings(changePorts?: Parameters<typeof openDashboard>[0]) {
  const dashboard = await openDashboard(changePorts);
  const owner = await dashboard.signIn('owner');
  const [main] = await dashboard.stores.connections.listFacts(dashboard.shop.orgId, dashboard.clock.now());
  const connectionId = main?.id ?? '';
  const activity = async () =>
    (await dashboard.stores.activity.list(dashboard.shop.orgId, { subjectId: null, before: null, limit: 10 }))
      .filter(({ kind }) => kind === 'integration-changed')
      .map(({ summary, actor }) => ({ summary, actor }));
  return { ...dashboard, owner, connectionId, activity };
}
