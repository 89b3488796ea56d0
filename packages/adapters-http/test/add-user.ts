import { createUser } from '@handover/domain';
import type { TestShop } from './open-test-shop.ts';

/** Adds a user, of an organisation or of none, and answers with their API key. */
export async function addUser(
  { ports }: TestShop,
  membership: Parameters<typeof createUser>[1]['membership'],
): Promise<string> {
  const email = `${ports.ids.next()}@example.com`;
  const created = await createUser(ports, { email, name: null, membership });
  if (created.kind !== 'created') throw new Error(created.kind);
  return created.apiKey;
}
