import type { LightMyRequestResponse } from 'fastify';
import type { OpenedDashboard } from './open-dashboard.ts';

/** A shop with its owner signed in, who has an API key, too. */
export interface Audited extends OpenedDashboard {
  readonly owner: Awaited<ReturnType<OpenedDashboard['signIn']>>;
}

/** Makes ready what a route changes, and answers with the request that changes it. */
export type Prepare = (audited: Audited) => Promise<() => Promise<LightMyRequestResponse>>;

/** Submits a form of the dashboard as the owner. */
export const submit =
  (
    path: (audited: Audited) => string | Promise<string>,
    fields: Readonly<Record<string, string>> = {},
  ): Prepare =>
  async (opened) => {
    const to = await path(opened);
    return () => opened.owner.submit('/dashboard/settings/team', to, { ...fields });
  };
