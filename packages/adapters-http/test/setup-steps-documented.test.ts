import { readFileSync } from 'node:fs';
import { OUR_PLATFORMS, PLATFORMS } from '@handover/domain';
import { describe, expect, it } from 'vitest';
import { listSetupSteps } from '../src/dashboard/integrations/setup-steps.ts';

const page = readFileSync(new URL('../../../docs/connections.md', import.meta.url), 'utf8');

/** What the dashboard says to choose in the vendor's admin, in the vendor's own words. */
const CHOSEN: Readonly<Record<string, readonly string[]>> = {
  'storefront-a': ['Notifications', 'Webhooks', 'Order payment', 'format JSON'],
  'storefront-b': ['WooCommerce, Settings, Advanced, Webhooks', 'topic Order updated', 'status Active'],
  'checkout-a': ['Developer Tools', 'Webhooks', '`order.completed`', 'HMAC SHA256'],
  'checkout-a-classic': [
    'Notify, Custom Notifications',
    'HTTP Remote Server Call',
    'Order Item',
    'private key',
  ],
  'cart-a': ['Notify URL', '`billing`, `item`, `summary` and `payment`'],
  'payments-a': ['developer settings'],
};

describe('docs/connections.md', () => {
  it.each(PLATFORMS)('says of %s what the dashboard says to choose in the shop', (platform) => {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${platform}\``)) ?? '';
    expect(row).toContain(OUR_PLATFORMS.vendorOf(platform));
    const steps = listSetupSteps(OUR_PLATFORMS, platform, 'an-id').join('\n');
    const chosen = CHOSEN[platform] ?? [];
    expect(chosen.length).toBeGreaterThan(0);
    expect(chosen.filter((words) => !steps.includes(words))).toEqual([]);
    expect(chosen.filter((words) => !row.includes(words))).toEqual([]);
  });
});
