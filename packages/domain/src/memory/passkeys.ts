import { isNextUse, MAX_PASSKEYS_PER_USER } from '../model/passkey.ts';
import type { Passkeys } from '../ports/access.ts';
import { type Memory, rowsWhere } from './memory.ts';

export function createInMemoryPasskeys({ passkeys, passkeyChallenges, users }: Memory): Passkeys {
  const ofUser = (userId: string) => [...rowsWhere(passkeys, { userId })];
  return {
    list: async (userId) =>
      ofUser(userId).sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1)),
    find: async (id) => passkeys.get(id) ?? null,
    add: async (passkey) => {
      if (!users.has(passkey.userId)) return 'unknown-user';
      if (passkeys.has(passkey.id)) return 'known';
      if (ofUser(passkey.userId).length >= MAX_PASSKEYS_PER_USER) return 'too-many';
      passkeys.set(passkey.id, passkey);
      return 'added';
    },
    remove: async (userId, id) => {
      const passkey = passkeys.get(id);
      if (passkey?.userId !== userId) return null;
      passkeys.delete(id);
      return passkey;
    },
    use: async (id, { counter, at }) => {
      const passkey = passkeys.get(id);
      if (!passkey || !isNextUse(counter, passkey.counter)) return null;
      passkeys.set(id, { ...passkey, counter, lastUsedAt: at });
      return passkey.userId;
    },
    addChallenge: async (challenge) => {
      passkeyChallenges.set(challenge.challenge, challenge);
    },
    takeChallenge: async (challenge, userId, now) => {
      const kept = passkeyChallenges.get(challenge);
      if (!kept || kept.userId !== userId) return false;
      passkeyChallenges.delete(challenge);
      return kept.expiresAt > now;
    },
  };
}
