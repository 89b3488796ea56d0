import { openDashboard } from './open-dashboard.ts';

/** A shop whose owner is signed in, to see to its integrations. */
export async function openSettings(changePorts?: Parameters<typeof openDashboard>[0]) {
  const it = await openDashboard(changePorts);
  const owner = await it.signIn('owner');
  const [main] = await it.stores.connections.listFacts(it.shop.orgId, it.clock.now());
  const connectionId = main?.id ?? '';
  const activity = async () =>
    (await it.stores.activity.list(it.shop.orgId, { subjectId: null, before: null, limit: 10 }))
      .filter(({ kind }) => kind === 'integration-changed')
      .map(({ summary, actor }) => ({ summary, actor }));
  return { ...it, owner, connectionId, activity };
}
