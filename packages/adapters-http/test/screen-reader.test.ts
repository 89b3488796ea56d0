import { expect, test } from 'vitest';
import { openDashboard } from './open-dashboard.ts';
import { deliverOrder } from './sell-purchases.ts';

const PATHS = [
  '/overview',
  '/purchases',
  '/products',
  '/webhook-log',
  '/settings/team',
  '/settings/security',
];

test.each(PATHS)('the first heading of %s is its title, and the sidebar is a landmark', async (path) => {
  const dashboard = await openDashboard();
  const { body } = await (await dashboard.signIn('owner')).get(`/dashboard${path}`);
  expect(/<h\d/.exec(body)?.[0]).toBe('<h1');
  const frame = body.slice(body.indexOf('<div class="frame">'), body.indexOf('<main'));
  expect(frame.match(/<header class="(bar|side)">/g)).toHaveLength(2);
  expect(frame).toContain('<ul aria-label="Settings">');
});

test.each(['/purchases', '/products', '/settings/team'])('each row of %s has a header', async (path) => {
  const dashboard = await openDashboard();
  await deliverOrder(dashboard);
  const { body } = await (await dashboard.signIn('owner')).get(`/dashboard${path}`);
  const rows = body.slice(body.indexOf('<tbody>')).match(/<tr>/g) ?? [];
  expect(rows.length).toBeGreaterThan(0);
  expect(body.match(/<tr><th scope="row"/g)).toHaveLength(rows.length);
});
