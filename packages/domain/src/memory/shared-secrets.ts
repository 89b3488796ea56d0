import type { SharedSecrets } from '../ports/connections.ts';
import type { Memory } from './memory.ts';

export function createInMemorySharedSecrets({ sharedSecrets }: Memory): SharedSecrets {
  return {
    list: async (now) =>
      [...sharedSecrets]
        .filter(([, { expiresAt }]) => expiresAt === null || expiresAt > now)
        .sort(([a, one], [b, other]) => other.setAt.getTime() - one.setAt.getTime() || (a < b ? 1 : -1))
        .map(([, secret]) => secret),
    replace: async ({ id, secret, now, formerUntil }) => {
      const lasting = [...sharedSecrets].filter(([, { expiresAt }]) => expiresAt === null);
      if (lasting.some(([, former]) => former.secret === secret)) return 'known';
      for (const [key, former] of lasting) sharedSecrets.set(key, { ...former, expiresAt: formerUntil });
      for (const [key, former] of sharedSecrets) {
        if (former.expiresAt && former.expiresAt > formerUntil)
          sharedSecrets.set(key, { ...former, expiresAt: formerUntil });
      }
      sharedSecrets.set(id, { secret, setAt: now, expiresAt: null });
      return lasting.length > 0 ? 'replaced' : 'set';
    },
  };
}
