import { runProgram } from '../../apps/server/src/cli/program.ts';
import type { KnownPlatform } from '../../packages/domain/src/index.ts';
import { addProduct, setProductStatus } from '../../test/shop-api.ts';

export type Environment = Readonly<Record<string, string>>;

/** An organisation that sells on every platform. */
export interface Shop {
  readonly orgId: string;
  readonly apiKey: string;
  /** Of its owner; valid once. */
  readonly signInUrl: string;
}

export const SKUS = ['felt-piano', 'soft-strings', 'glass-bells'] as const;
export const PAYMENTS_A_SECRET = 'whsec_of-the-chaos-service-of-payments';

const PLATFORMS_OF_SHOPS = [
  'storefront-a',
  'storefront-b',
  'checkout-a',
  'checkout-a-classic',
  'cart-a',
] as const;

export function secretOf(platform: KnownPlatform): string {
  return platform === 'payments-a' ? PAYMENTS_A_SECRET : `secret-of-${platform}-of-at-least-32-letters`;
}

/** Opened with the command line and the API. */
export async function openShop(
  environment: Environment,
  url: string,
  name: string,
  run: typeof runForJson = runForJson,
): Promise<Shop> {
  const owner = `owner@${name}.test`;
  const shop = await run<Shop>(environment, ['org', 'create', '--name', name, '--owner-email', owner]);
  for (const platform of PLATFORMS_OF_SHOPS) {
    const words = ['integration', 'set', '--org', shop.orgId, '--platform', platform];
    await run(environment, [...words, '--secret', secretOf(platform)]);
  }
  for (const sku of SKUS) {
    const { id } = await addProduct(url, shop.apiKey, { name: sku, slug: sku, file: Buffer.from(sku) });
    await setProductStatus(url, shop.apiKey, id, 'published');
  }
  return shop;
}

async function runForJson<T>(environment: Environment, words: readonly string[]): Promise<T> {
  const said: string[] = [];
  let failed = false;
  await runProgram(environment, [...words, '--json'], {
    out: (text) => said.push(text),
    err: (text) => said.push(text),
    fail: () => {
      failed = true;
    },
  });
  if (failed) throw new Error(`${words.join(' ')}: ${said.join(' ')}`);
  return JSON.parse(said.join(''));
}
