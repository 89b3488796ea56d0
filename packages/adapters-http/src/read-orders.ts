import type { OrderReader } from '@handover/domain';
import { createOrderReader } from '@handover/platform-contract';
import type { HttpOptions } from './http-ports.ts';

/** Reads the orders of stored deliveries, of every platform that the app takes in. */
export function createReaderOfAll({
  platforms,
  sharedPlatform,
}: Pick<HttpOptions, 'platforms' | 'sharedPlatform'>): OrderReader {
  const all = [...platforms, sharedPlatform.webhook];
  return createOrderReader(Object.fromEntries(all.map((platform) => [platform.label, platform])));
}
