import type { ApiKeys, Users } from '../ports/access.ts';

/** `apiKey` is the new key in full; the former one has stopped working. */
export type RefreshApiKeyResult =
  | { readonly kind: 'refreshed'; readonly apiKey: string }
  | { readonly kind: 'unknown-user' };

/** Gives a user a new API key. The one before is invalid at once, everywhere. */
export async function refreshApiKey(
  ports: { readonly apiKeys: ApiKeys; readonly users: Users },
  userId: string,
): Promise<RefreshApiKeyResult> {
  const { key, stored } = ports.apiKeys.mint();
  const outcome = await ports.users.replaceKey(userId, stored);
  return outcome === 'replaced' ? { kind: 'refreshed', apiKey: key } : { kind: 'unknown-user' };
}

/** A user's own key in clear, to be shown to that user alone; null when there is no such user. */
export async function showApiKey(
  ports: { readonly apiKeys: ApiKeys; readonly users: Users },
  userId: string,
): Promise<string | null> {
  const stored = await ports.users.findKey(userId);
  return stored && ports.apiKeys.reveal(stored);
}
