import { setSubscription } from '@handover/domain';
import { describe, expect } from 'vitest';
import { decodeHtml, openDashboard, type SignedInUser } from './open-dashboard.ts';
import { bearer } from './open-test-shop.ts';
import { test } from './test-in-shop.ts';

const PAGE = '/dashboard/settings/api-key';

async function readKey(signedInUser: SignedInUser): Promise<string> {
  return /<code>([^<]+)<\/code>/.exec((await signedInUser.get(`${PAGE}?show`)).body)?.[1] ?? '';
}

/** The words of the sidebar’s entries, those under “Settings” apart. */
function readNavigation(body: string) {
  const [, nav = ''] = /<nav class="nav"[^>]*>([\s\S]*?)<\/nav>/.exec(body) ?? [];
  const [main = '', settings = ''] = nav.split('<p aria-hidden="true">Settings</p>');
  const words = (part: string) => [...part.matchAll(/<span>([^<]+)<\/span>/g)].map(([, text]) => text);
  return { main: words(main), settings: words(settings) };
}

describe('the API key page', () => {
  test.each(['owner', 'admin', 'member'] as const)(
    'shows and refreshes the own key of an %s',
    async (role) => {
      const dashboard = await openDashboard();
      const signedInUser = await dashboard.signIn(role);
      const former = await readKey(signedInUser);
      const call = async (key: string) =>
        (await dashboard.app.inject({ url: '/api/products', headers: bearer(key) })).statusCode;
      expect(await call(former)).toBe(200);
      expect((await signedInUser.submit(PAGE, `${PAGE}/replace`, { name: 'default' })).statusCode).toBe(303);
      const fresh = await readKey(signedInUser);
      expect([await call(former), await call(fresh)]).toEqual([401, 200]);
    },
  );

  test('hides a key that it shows', async () => {
    const owner = await (await openDashboard()).signIn('owner');
    const toggle = async (address: string) => {
      const { body } = await owner.get(address);
      const [, href, words] =
        /<a class="btn" href="([^"]*)"[^>]*>((?:Show|Hide)<span[^>]*> the key default)/.exec(body) ?? [];
      return {
        href: decodeHtml(href ?? ''),
        words: words?.replace(/<[^>]*>/g, ''),
        isShown: body.includes('<code>'),
      };
    };
    const show = await toggle(PAGE);
    expect(show).toEqual({ href: `${PAGE}?show=default`, words: 'Show the key default', isShown: false });
    const hide = await toggle(show.href);
    expect(hide).toEqual({ href: PAGE, words: 'Hide the key default', isShown: true });
  });

  test('is open to a user without an organisation, and after the subscription has expired', async () => {
    const dashboard = await openDashboard();
    const nobody = await dashboard.signIn(null);
    const member = await dashboard.signIn('member');
    await setSubscription({ ...dashboard, ...dashboard.ports }, dashboard.shop.orgId, dashboard.clock.now());
    for (const signedInUser of [nobody, member]) {
      const former = await readKey(signedInUser);
      expect((await signedInUser.submit(PAGE, `${PAGE}/replace`, { name: 'default' })).statusCode).toBe(303);
      expect(await readKey(signedInUser)).not.toBe(former);
    }
    expect((await nobody.get(PAGE)).body).toContain('It opens nothing until you belong to an organisation');
  });

  test('is the only part of the settings that a member sees', async ({ dashboard, member }) => {
    const { body } = await member.get(PAGE);
    expect(readNavigation(body).settings).toEqual(['API keys', 'Security']);
    expect(body).toContain('as a member');
    const products = readNavigation((await member.get('/dashboard/products')).body);
    expect(products.settings).toEqual(['API keys', 'Security']);
    for (const other of ['team', 'organisation', 'integrations', 'activity']) {
      expect((await member.get(`/dashboard/settings/${other}`)).statusCode).toBe(403);
    }
    const nobody = await dashboard.signIn(null);
    expect(readNavigation((await nobody.get('/dashboard/products')).body)).toEqual({
      main: [],
      settings: ['API keys', 'Security'],
    });
  });
});
