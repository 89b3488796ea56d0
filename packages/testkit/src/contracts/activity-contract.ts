import { type ActivityKind, createUuids } from '@handover/domain';
import { BY_JANA, openShop } from '../samples.ts';
import type { StoresRunner } from './harness.ts';

/** The activity log of an organisation. */
export function activityContract({ describe, it, expect }: StoresRunner): void {
  describe('the activity log', () => {
    it('lists what was done, newest first, a page at a time, and by subject', async (opened) => {
      const { activity } = opened.stores;
      const [pads, keys] = [opened.ids.next(), opened.ids.next()];
      const entries = [pads, keys, pads].map((subjectId, at) => ({
        id: opened.ids.next(),
        at: opened.clock.now(),
        kind: 'product-changed' as const,
        subjectId,
        summary: `Change ${at}.`,
        ...(at === 0 ? { ...BY_JANA, viaDetail: 'Firefox' } : { via: 'automatic' as const }),
      }));
      for (const entry of entries) await activity.add(opened.shop.orgId, entry);
      const [first, second, third] = entries;
      const list = (query: object) =>
        activity.list(opened.shop.orgId, { subjectId: null, before: null, limit: 10, ...query });
      expect(await list({})).toEqual([third, second, first]);
      expect(await list({ limit: 1, before: third?.id })).toEqual([second]);
      expect(await list({ subjectId: pads })).toEqual([third, first]);
      expect(await list({ via: 'dashboard' })).toEqual([first]);
      expect(await list({ via: 'automatic', limit: 1 })).toEqual([third]);
      const other = await openShop(opened, 'Other');
      expect(await activity.list(other.orgId, { subjectId: null, before: null, limit: 10 })).toEqual([]);
    });

    it('is listed by person and by what it is about, orders apart', async (opened) => {
      const { activity } = opened.stores;
      const kinds = ['order-delivered', 'product-changed', 'download-completed', 'signed-in'] as const;
      for (const kind of kinds) {
        const base = { id: opened.ids.next(), at: opened.clock.now(), kind, subjectId: opened.ids.next() };
        const by = kind === 'product-changed' ? BY_JANA : ({ via: 'automatic' } as const);
        await activity.add(opened.shop.orgId, { ...base, summary: kind, ...by });
      }
      const list = async (query: object) =>
        (await activity.list(opened.shop.orgId, { subjectId: null, before: null, limit: 10, ...query })).map(
          ({ kind }) => kind,
        );
      expect(await list({ group: 'people' })).toEqual(['signed-in', 'product-changed']);
      expect(await list({ group: 'orders' })).toEqual(['download-completed', 'order-delivered']);
      expect(await list({ group: 'products' })).toEqual(['product-changed']);
      expect(await list({ group: 'purchases' })).toEqual([]);
      expect(await list({ actor: BY_JANA.actor })).toEqual(['product-changed']);
      expect(await list({ actor: BY_JANA.actor, group: 'sign-ins' })).toEqual([]);
      expect(await list({})).toHaveLength(4);
    });

    it('is listed by period, whose end is excluded', async (opened) => {
      const { activity } = opened.stores;
      const ids = createUuids(opened.clock);
      const days: Date[] = [];
      for (const summary of ['First.', 'Second.', 'Third.']) {
        const at = opened.clock.now();
        const entry = {
          id: ids.next(),
          at,
          kind: 'product-changed',
          subjectId: ids.next(),
          summary,
        } as const;
        await activity.add(opened.shop.orgId, { ...entry, ...BY_JANA });
        days.push(at);
        opened.clock.advance(3 * 24 * 60 * 60 * 1000);
      }
      const [first = null, second = null, third = null] = days;
      const list = async (from: Date | null, until: Date | null, limit = 10) => {
        const query = { subjectId: null, group: 'products', period: { from, until }, before: null } as const;
        const found = await activity.list(opened.shop.orgId, { ...query, limit });
        return found.map(({ summary }) => summary);
      };
      expect(await list(null, null)).toEqual(['Third.', 'Second.', 'First.']);
      expect(await list(second, null)).toEqual(['Third.', 'Second.']);
      expect(await list(null, third)).toEqual(['Second.', 'First.']);
      expect(await list(null, third, 1)).toEqual(['Second.']);
      expect(await list(first, second)).toEqual(['First.']);
      expect(await list(second, second)).toEqual([]);
    });

    it('says which subjects have an entry of a kind since then', async (opened) => {
      const { stores, shop, clock, ids } = opened;
      const other = await openShop(opened, 'Other');
      const [jana = '', ben = '', ana = '', eva = ''] = Array.from({ length: 4 }, () => ids.next());
      const add = (orgId: string, kind: ActivityKind, subjectId: string) => {
        const entry = { kind, subjectId, summary: 'A test.', via: 'dashboard' } as const;
        return stores.activity.add(orgId, { id: ids.next(), at: clock.now(), ...entry });
      };
      await add(shop.orgId, 'link-restored', ben);
      clock.advance(1000);
      const since = clock.now();
      await add(shop.orgId, 'link-restored', jana);
      await add(shop.orgId, 'link-restored', jana);
      await add(shop.orgId, 'link-revoked', ana);
      await add(other.orgId, 'link-restored', ana);
      await add(shop.orgId, 'link-restored', eva);
      const query = { kind: 'link-restored', subjectIds: [jana, ben, ana, 'nonsense'], since } as const;
      expect(await stores.activity.listSubjects(shop.orgId, query)).toEqual([jana]);
      expect(await stores.activity.listSubjects('nonsense', query)).toEqual([]);
      expect(await stores.activity.listSubjects(shop.orgId, { ...query, subjectIds: [] })).toEqual([]);
    });

    it('gives the newest entry of a kind and subject another summary, and no other', async (opened) => {
      const { activity } = opened.stores;
      const other = await openShop(opened, 'Other');
      const [jana, ben] = [opened.ids.next(), opened.ids.next()];
      const add = async (orgId: string, kind: ActivityKind, subjectId: string) =>
        activity.add(orgId, {
          id: opened.ids.next(),
          at: opened.clock.now(),
          kind,
          subjectId,
          summary: 'As it was.',
          via: 'dashboard',
        });
      await add(opened.shop.orgId, 'sign-in-refused', jana);
      await add(opened.shop.orgId, 'sign-in-refused', jana);
      await add(opened.shop.orgId, 'sign-in-refused', ben);
      await add(opened.shop.orgId, 'signed-in', jana);
      await add(other.orgId, 'sign-in-refused', jana);
      const counting = { kind: 'sign-in-refused', subjectId: jana, summary: 'Counted.' } as const;
      await activity.rewriteNewest(opened.shop.orgId, counting);
      const summaries = async (orgId: string) =>
        (await activity.list(orgId, { subjectId: null, before: null, limit: 10 })).map(
          ({ summary }) => summary,
        );
      expect((await summaries(opened.shop.orgId)).slice(0, 4)).toEqual([
        'As it was.',
        'As it was.',
        'Counted.',
        'As it was.',
      ]);
      expect(await summaries(other.orgId)).toEqual(['As it was.']);
      await activity.rewriteNewest("'; drop table activity", counting);
    });
  });
}
