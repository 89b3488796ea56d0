import { OUR_PLATFORMS, type PurchaseSource } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { describe, expect, test } from 'vitest';
import { statusBadge, statusMark } from '../src/dashboard/parts/badge.ts';
import { copyField } from '../src/dashboard/parts/copy-field.ts';
import { confirmDialog } from '../src/dashboard/parts/dialog.ts';
import { emptyState } from '../src/dashboard/parts/empty-state.ts';
import { postForm, selectField, textArea, textField } from '../src/dashboard/parts/form.ts';
import * as icons from '../src/dashboard/parts/icons.ts';
import { metricRow } from '../src/dashboard/parts/metrics.ts';
import { counted, formatMoney } from '../src/dashboard/parts/money.ts';
import { noticePanel } from '../src/dashboard/parts/notice.ts';
import { pageHeader } from '../src/dashboard/parts/page-header.ts';
import { formatOrderId } from '../src/dashboard/parts/platform.ts';
import { olderLink, rowLink, table } from '../src/dashboard/parts/table.ts';
import { exactTime, formatElapsed, relativeTime } from '../src/dashboard/parts/time.ts';
import { timeline } from '../src/dashboard/parts/timeline.ts';
import { toastElement } from '../src/dashboard/parts/toast.ts';
import { formatShop } from '../src/dashboard/purchases/source-words.ts';

const HOSTILE = `"><script>alert('x')</script>`;

describe('parts of pages', () => {
  const parts: Readonly<Record<string, Html>> = {
    header: pageHeader({ title: HOSTILE, back: { href: HOSTILE, words: HOSTILE } }),
    'copy field': copyField({ label: HOSTILE, text: HOSTILE }),
    dialog: confirmDialog({
      id: 'x',
      title: HOSTILE,
      loss: HOSTILE,
      action: HOSTILE,
      words: HOSTILE,
      csrfToken: HOSTILE,
    }),
    'empty state': emptyState({ icon: html``, title: HOSTILE, sentence: HOSTILE }),
    form: postForm({ action: HOSTILE, csrfToken: HOSTILE, body: html`` }),
    'text field': textField({ name: 'n', label: HOSTILE, value: HOSTILE, help: HOSTILE }),
    'text field with a problem': textField({ name: 'n', label: 'l', value: HOSTILE, problem: HOSTILE }),
    'text area': textArea({ name: 'n', label: HOSTILE, value: HOSTILE }),
    select: selectField({ name: 'n', label: 'l', value: '', options: [{ value: HOSTILE, words: HOSTILE }] }),
    notice: noticePanel({ tone: 'held', icon: html``, title: HOSTILE, sentence: HOSTILE }),
    metrics: metricRow([{ label: HOSTILE, value: HOSTILE, unit: HOSTILE, note: HOSTILE }]),
    'row link': rowLink(HOSTILE, HOSTILE),
    older: olderLink(HOSTILE),
    toast: toastElement(
      { title: HOSTILE, sentence: HOSTILE, undo: { action: HOSTILE, fields: { a: HOSTILE } } },
      HOSTILE,
    ),
    timeline: timeline([{ icon: html``, title: HOSTILE, evidence: '', at: null }]),
    table: table({ label: HOSTILE, columns: [{ head: HOSTILE, cell: () => '' }], rows: [1] }),
  };

  test.each(Object.entries(parts))('escape text: %s', (_name, part) => {
    expect(String(part)).not.toContain('<script');
    expect(String(part)).not.toContain('"">');
  });

  test('give every state a word, also beside a separate icon', () => {
    const states = ['pending', 'success', 'error', 'held', 'ignored', 'unmatched'] as const;
    const links = ['open', 'used', 'expired', 'revoked'] as const;
    const connections = ['working', 'quiet', 'rejecting', 'not-set-up', 'unmapped'] as const;
    for (const family of [
      states.map((state) => statusBadge('delivery', state)),
      links.map((state) => statusBadge('link', state)),
      connections.map((state) => statusBadge('connection', state)),
    ]) {
      const silhouettes = family.map((badge) => /<svg.*<\/svg>/.exec(String(badge))?.[0]);
      expect(new Set(silhouettes).size).toBe(family.length);
    }
    expect(String(statusMark('delivery', 'held'))).toContain('<span class="visually-hidden">Held</span>');
  });

  test('have distinct icons', () => {
    const all = Object.values(icons).map(String);
    expect(new Set(all).size).toBe(all.length);
  });

  test('keep the line breaks at the beginning of a text', () => {
    expect(String(textArea({ name: 'n', label: 'l', value: '\nfirst' }))).toContain('>\n\nfirst</textarea>');
  });
});

test.each([
  ['samcart:901247', 'SamCart order 901247'],
  ['thrivecart:7', 'ThriveCart order 7'],
  ['4711', 'order 4711'],
  ['gid://shop/Order/1', 'order gid://shop/Order/1'],
])('call the order %s %s', (orderId, words) => {
  expect(formatOrderId(orderId)).toBe(words);
});

describe('a time', () => {
  const now = new Date('2026-10-14T14:32:00.000Z');

  test.each([
    ['2026-10-14T14:31:30.000Z', 'just now'],
    ['2026-10-14T14:28:00.000Z', '4 min ago'],
    ['2026-10-14T12:32:00.000Z', '2 h ago'],
    ['2026-10-14T00:05:00.000Z', '14 h ago'],
    ['2026-10-13T14:00:00.000Z', 'yesterday'],
    ['2026-10-09T10:00:00.000Z', '9 Oct'],
    ['2025-10-09T10:00:00.000Z', '9 Oct 2025'],
  ])('in a list is shown for %s as %s', (at, words) => {
    const element = String(relativeTime(new Date(at), now));
    expect(element).toContain(`>${words}</time>`);
    expect(element).toContain(`datetime="${at}"`);
  });

  test('soon after midnight is hours ago, not yesterday', () => {
    const night = new Date('2026-10-14T01:00:00.000Z');
    expect(String(relativeTime(new Date('2026-10-13T23:00:00.000Z'), night))).toContain('>2 h ago<');
  });

  test('in details is exact, and in UTC', () => {
    expect(String(exactTime(new Date('2026-10-14T14:02:11.204Z')))).toContain(
      '>14 October 2026, 14:02:11 UTC<',
    );
  });

  test.each([
    [12, '12 ms'],
    [1400, '1.4 s'],
    [59_999, '59.9 s'],
    [400_000, '6 min 40 s'],
    [542_000, '9 min 02 s'],
    [11_520_000, '3 h 12 min'],
    [86_400_000, '1 day'],
    [187_200_000, '2 days 4 h'],
  ])('of %d ms is shown as %s', (ms, words) => {
    expect(formatElapsed(ms)).toBe(words);
  });

  test('on a timeline is absolute for the first event, and relative for later ones', () => {
    const first = new Date('2026-10-14T14:02:11.204Z');
    const event = { icon: html``, title: 'e', evidence: '' };
    const later = new Date(first.getTime() + 1400);
    const list = String(
      timeline([
        { ...event, at: first },
        { ...event, at: later },
        { ...event, at: null },
      ]),
    );
    expect(list).toContain('>14:02:11.204</time>');
    expect(list).toContain('>+ 1.4 s</time>');
    expect(list).toContain('data-waits');
  });
});

test('formatMoney keeps all digits, and puts the currency last', () => {
  expect(formatMoney('1249.00', 'EUR')).toBe('1,249.00 EUR');
  expect(formatMoney('5000', 'JPY')).toBe('5,000 JPY');
  expect(formatMoney('1249.5', 'EUR')).toBe('1,249.50 EUR');
  expect(formatMoney('-1249.505', 'EUR')).toBe('-1,249.505 EUR');
  expect(formatMoney('3000.00', 'JPY')).toBe('3,000 JPY');
  expect(formatMoney('12.5', null)).toBe('12.5 (no currency)');
  expect(counted(1, 'order')).toBe('1 order');
  expect(counted(8412, 'order')).toBe('8,412 orders');
});

test('a list names the shop of a purchase, unless nobody gave it a name', () => {
  const nameOf = (source: PurchaseSource, connectionName: string | null) =>
    formatShop(OUR_PLATFORMS, { source, connectionName });
  expect(nameOf('storefront-a', 'EU shop')).toBe('Shopify, EU shop');
  expect(nameOf('storefront-a', 'main')).toBe('Shopify');
  expect(nameOf('payments-a', 'metadata')).toBe('Stripe');
  expect(nameOf('dashboard', null)).toBe('By hand');
});
