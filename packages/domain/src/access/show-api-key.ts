import type { ApiKeys, Users } from '../ports/access.ts';

/** A user's own key in clear, to be shown to that user alone; null when there is no such user. */
export async function showApiKey(
  ports: { readonly apiKeys: ApiKeys; readonly users: Users },
  userId: string,
): Promise<string | null> {
  const stored = await ports.users.findKey(userId);
  return stored && ports.apiKeys.reveal(stored);
}
