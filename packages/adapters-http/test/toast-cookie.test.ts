import { createProduct, createVersion } from '@handover/domain';
import { makeLine } from '@handover/testkit';
import { describe, expect } from 'vitest';
import { limitToast } from '../src/dashboard/toast-cookie.ts';
import { decodeHtml, hiddenPairsOf } from './open-dashboard.ts';
import { deliverOrder } from './sell-purchases.ts';
import { test } from './test-in-shop.ts';

const OVERVIEW = '/dashboard/overview';
/** Larger cookies are dropped by browsers, with all that makes them up. */
const MAX_COOKIE = 4096;
const JAPANESE = '日本語の長い名前'.repeat(25);

const undoWith = (subject: string) => ({ action: `${OVERVIEW}/bring-back`, fields: { subject } });
const sizeOf = (toast: object) => Buffer.from(JSON.stringify(toast)).toString('base64url').length;

describe('the toast of an action', () => {
  test('that names many products by long names fits into a cookie, and is shown', async ({ dashboard }) => {
    const { ports, shop } = dashboard;
    const owner = await dashboard.signIn('owner');
    for (const slug of ['a', 'b', 'c', 'd', 'e']) {
      const draft = await createProduct(ports, shop.orgId, { name: `${JAPANESE}${slug}`.slice(-200), slug });
      if (draft.kind !== 'created') throw new Error(draft.kind);
      await createVersion(ports, shop.orgId, draft.product.id, '1.0');
      await deliverOrder(dashboard, { orderId: slug, lines: [makeLine(slug)] });
    }
    const choose = async (page: string) => {
      const { body } = await owner.get(page);
      const values = [...body.matchAll(/type="checkbox" name="subject" value="([^"]*)"/g)];
      const chosen = values.map(([, value = '']): [string, string] => ['subject', decodeHtml(value)]);
      return [...hiddenPairsOf(body), ...chosen];
    };
    const path = `${OVERVIEW}/dismiss`;
    await owner.post(path, [...(await choose(path)), ['reason', 'Known']]);
    const answer = await owner.post(`${OVERVIEW}/bring-back`, await choose(`${OVERVIEW}/dismissed`));
    const [cookie = ''] = [answer.headers['set-cookie']].flat().filter((one) => one?.includes('toast'));
    expect(Buffer.byteLength(cookie)).toBeLessThan(MAX_COOKIE);
    expect((await owner.get(OVERVIEW)).body).toMatch(/5 brought back<\/h2><p>[^<]+日本語[^<]*…<\/p>/);
  });

  test('is kept as it is where it fits', () => {
    const toast = { title: 'Dismissed', sentence: JAPANESE, undo: undoWith('failed') };
    expect(limitToast(toast)).toEqual(toast);
  });

  test('keeps its Undo whole, and loses the end of its sentence', () => {
    const undo = undoWith('held 019a\n'.repeat(200));
    const { sentence, ...rest } = limitToast({ title: 'Dismissed', sentence: JAPANESE.repeat(2), undo });
    expect(rest).toEqual({ title: 'Dismissed', undo });
    expect(sentence).toMatch(/^日本語.*[^…]…$/);
    expect(sizeOf({ ...rest, sentence })).toBeLessThan(MAX_COOKIE - 100);
  });

  test('loses an Undo that fills a cookie alone, and keeps its sentence', () => {
    const toast = { title: 'Dismissed', sentence: 'Pads needs nothing any more.' };
    expect(limitToast({ ...toast, undo: undoWith('held 019a\n'.repeat(400)) })).toEqual(toast);
  });

  test('is cut between two characters, also where one has several code points', () => {
    const family = '👨‍👩‍👧‍👦';
    const { sentence = '' } = limitToast({ title: 'Dismissed', sentence: family.repeat(500) });
    expect(sentence.replaceAll(family, '')).toBe('…');
  });

  test('of any length fits', () => {
    const long = '"\u0000\ud800'.repeat(5000);
    const toast = limitToast({ title: long, sentence: long, undo: undoWith(long) });
    expect(sizeOf(toast)).toBeLessThan(MAX_COOKIE - 100);
  });
});
