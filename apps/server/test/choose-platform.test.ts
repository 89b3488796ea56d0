import { OUR_PLATFORMS } from '@handover/domain';
import { Argument, Command } from 'commander';
import { expect, it } from 'vitest';
import { choosePlatform } from '../src/cli/choose-platform.ts';
import { runProgram } from '../src/cli/program.ts';

it.each([
  ['simulate', 'acme-cart', '--org', 'ORG'],
  ['integration', 'set', '--org', 'ORG', '--platform', 'acme-cart'],
])(
  '%s %s … says of a platform that it does not know which it knows, and how to make it known',
  async (...words) => {
    const printed: string[] = [];
    await runProgram({}, words, {
      out: (text) => printed.push(text),
      err: (text) => printed.push(text),
      fail: () => printed.push('It failed.'),
    });
    const text = printed.join('\n');
    expect(text).toContain("'acme-cart' is invalid");
    expect(text).toMatch(
      /Choose one of storefront-a \(Shopify\), .*\. For a platform of your own, .* the server’s PLATFORMS\./,
    );
    expect(printed.at(-1)).toBe('It failed.');
  },
);

it.each([
  ['shopify', 'storefront-a'],
  ['Shopify', 'storefront-a'],
  ['woocommerce', 'storefront-b'],
  ['stripe', 'payments-a'],
  ['fastspring', 'checkout-a'],
  ['fastspring-classic', 'checkout-a-classic'],
  ['FastSpring Classic', 'checkout-a-classic'],
  ['samcart', 'cart-a'],
  ['thrivecart', 'cart-a'],
  ['UltraCart', 'cart-a'],
  ['cart-a', 'cart-a'],
])('“%s” is the platform %s', (given, label) => {
  const command = new Command().addArgument(
    choosePlatform(new Argument('<platform>', 'which'), OUR_PLATFORMS),
  );
  command.parse([given], { from: 'user' });
  expect(command.processedArgs).toEqual([label]);
  const [asked] = command.registeredArguments;
  const vendors = [OUR_PLATFORMS.vendorOf(label), ...OUR_PLATFORMS.otherVendorsOf(label)].join(', ');
  expect(asked?.description).toContain(`${label} (${vendors})`);
});
