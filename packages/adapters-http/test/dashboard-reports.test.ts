import { describe, expect, test } from 'vitest';
import { openDashboard } from './open-dashboard.ts';
import { bearer } from './open-test-shop.ts';
import { sellByHand } from './sell-by-hand.ts';

const DAY = 24 * 60 * 60 * 1000;

describe('the reports page', () => {
  test('shows downloads by day, as numbers, a described chart, and a table', async () => {
    const opened = await openWithDownloads();
    const { statusCode, body } = await opened.admin.get(
      `/dashboard/reports?from=${opened.first}&to=${opened.last}`,
    );
    expect(statusCode).toBe(200);
    expect(body).toContain('Downloads in 3 days');
    expect(body).toMatch(/<dt>Downloads<\/dt><dd>2</);
    expect(body).toMatch(/<dt>Finished<\/dt><dd>1</);
    expect(body).toMatch(/<dt>Buyers<\/dt><dd>1</);
    expect(body).toContain('role="img"');
    expect(body).toContain(`<time datetime="${opened.last}">`);
    expect(body).toContain(`value="${opened.first}"`);
  });

  test('says when nothing was downloaded', async () => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    expect((await admin.get('/dashboard/reports')).body).toContain('No downloads in these days');
  });

  test.each([
    ['from=2026-02-30', 'The first day is not a date. Write one such as 2026-03-31.'],
    ['to=yesterday', 'The last day is not a date. Write one such as 2026-03-31.'],
    ['from=2026-02-02&to=2026-02-01', 'The first day is after the last day. Choose an earlier first day, or'],
    ['from=2036-02-02', 'The first day is after today. Choose today or an earlier day.'],
    ['from=2020-01-01', 'A report has at most 366 days. Choose a later first day, or'],
  ])('explains an invalid day beside its field: %s', async (query, problem) => {
    const dashboard = await openDashboard();
    const admin = await dashboard.signIn('admin');
    const answer = await admin.get(`/dashboard/reports?${query}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain(problem);
    expect(answer.body.match(/aria-invalid/g)).toHaveLength(1);
  });

  test('downloads the same file as the API', async () => {
    const opened = await openWithDownloads();
    const days = `from=${opened.first}&to=${opened.last}`;
    const file = await opened.admin.get(`/dashboard/reports/downloads.csv?${days}`);
    const ofApi = await opened.app.inject({
      url: `/api/reports/downloads?${days}`,
      headers: bearer(opened.shop.ownerKey),
    });
    expect(file.statusCode).toBe(200);
    expect(file.body).toBe(`\uFEFF${ofApi.body}`);
    expect(file.body.split('\r\n')).toHaveLength(4);
    for (const header of ['content-type', 'content-disposition'])
      expect(file.headers[header]).toBe(ofApi.headers[header]);
    expect(file.headers['cache-control']).toBe('private, no-store');
    expect((await opened.admin.get('/dashboard/reports/downloads.csv?from=x')).statusCode).toBe(400);
  });
});

/** Two downloads of one buyer, two days apart, of which the last is complete. */
async function openWithDownloads() {
  const dashboard = await openDashboard();
  const { linkId, token } = await sellByHand(dashboard);
  const first = dashboard.clock.now().toISOString().slice(0, 10);
  await dashboard.app.inject(`/d/${token}/files/1.0/pads.zip`);
  dashboard.clock.advance(2 * DAY - 60 * 60 * 1000);
  await dashboard.app.inject(`/d/${token}/files/1.0/pads.zip`);
  const at = dashboard.clock.now();
  const activity = {
    id: dashboard.ports.ids.next(),
    at,
    kind: 'download-completed',
    subjectId: linkId,
    summary: 'Done.',
    via: 'automatic',
  } as const;
  await dashboard.ports.sessions.complete(dashboard.shop.orgId, linkId, { sessionId: null, at, activity });
  return { ...dashboard, admin: await dashboard.signIn('admin'), first, last: at.toISOString().slice(0, 10) };
}
