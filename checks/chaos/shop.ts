import { runProgram } from '../../apps/server/src/cli/program.ts';
import type { KnownPlatform } from '../../packages/domain/src/index.ts';

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
  for (const sku of SKUS) await addProduct(url, shop.apiKey, sku);
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

async function addProduct(url: string, apiKey: string, slug: string): Promise<void> {
  const call = (method: string, path: string, body?: object | Buffer) =>
    callApi(url, apiKey, method, path, body);
  const { id } = await call('POST', '/products', { name: slug, slug });
  const versions = `/products/${id}/versions`;
  const version = await call('POST', versions, { version: '1.0' });
  await call('PUT', `${versions}/${version.id}/files/${slug}.zip`, Buffer.from(slug));
  await call('POST', `${versions}/${version.id}/activate`);
  await call('PUT', `/products/${id}`, { status: 'published' });
}

async function callApi(
  url: string,
  apiKey: string,
  method: string,
  path: string,
  body?: object | Buffer,
): Promise<{ readonly id: string }> {
  const type = Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json';
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, ...(body ? { 'content-type': type } : {}) },
    ...(body ? { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) } : {}),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as { readonly id: string };
}
