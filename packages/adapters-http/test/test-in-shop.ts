import { test as plain } from 'vitest';
import { type OpenedDashboard, openDashboard } from './open-dashboard.ts';
import { openTestShop, type TestShop } from './open-test-shop.ts';

type SignedIn = Awaited<ReturnType<OpenedDashboard['signIn']>>;

interface Opened {
  /** A shop with an app of its own: see `openTestShop`. */
  readonly testShop: TestShop;
  /** The same, with browsers: see `openDashboard`. */
  readonly dashboard: OpenedDashboard;
  /** Users of that dashboard, signed in. */
  readonly owner: SignedIn;
  readonly admin: SignedIn;
  readonly member: SignedIn;
}

/** A test that begins with what it names of these. */
export const test = plain.extend<Opened>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures from the pattern.
  testShop: async ({}, use) => use(await openTestShop()),
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  dashboard: async ({}, use) => use(await openDashboard()),
  owner: async ({ dashboard }, use) => use(await dashboard.signIn('owner')),
  admin: async ({ dashboard }, use) => use(await dashboard.signIn('admin')),
  member: async ({ dashboard }, use) => use(await dashboard.signIn('member')),
});
