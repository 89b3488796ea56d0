import { addPasskey, keepPasskeyChallenge, recordDevice, signInWithPasskey } from '@handover/domain';
import { pickUser } from './access.ts';
import { type Action, onPicked, operate, pickRow } from './action.ts';

const CLIENT = 'Firefox';

/** How users add passkeys and sign in with them. What a browser signs is verified outside the domain. */
export const PASSKEY_ACTIONS: readonly Action[] = [
  {
    name: 'a passkey is added',
    weight: 6,
    begin: onPicked(pickUser, (world, user) => {
      const { id: userId, email } = user;
      return operate(world, `${email} adds a passkey`, async (service) => {
        const challenge = service.ids.next();
        const kept = await keepPasskeyChallenge(service, { challenge, userId, network: '192.0.2.9' });
        if (kept === 'too-often') return kept;
        const isTaken = await service.passkeys.takeChallenge(challenge, userId, service.clock.now());
        if (!isTaken) return 'spent';
        const id = service.ids.next();
        return addPasskey(service, 'MacBook', { id, userId, publicKey: '', counter: 0, transports: [] });
      });
    }),
  },
  {
    name: 'a user signs in with a passkey',
    weight: 5,
    begin: onPicked(
      (world) => pickRow(world, world.memory.passkeys.values()),
      (world, passkey) => {
        const counter = passkey.counter + 1;
        return operate(world, `${passkey.id} signs in`, async (service) => {
          const use = { id: passkey.id, counter, returnTo: null };
          const result = await signInWithPasskey(service, use, CLIENT, { session: null, device: null });
          if (result.kind === 'signed-in') {
            world.ledger.sessionTokens.set(result.sessionToken, { userId: passkey.userId, isOver: false });
          }
          return result;
        });
      },
    ),
  },
  {
    name: 'a device is seen',
    weight: 8,
    begin: onPicked(pickUser, (world, user) =>
      operate(world, `A device of ${user.email} is seen`, (service) =>
        recordDevice(service, user.id, CLIENT, null),
      ),
    ),
  },
  {
    name: 'a passkey is removed',
    weight: 1,
    begin: onPicked(
      (world) => pickRow(world, world.memory.passkeys.values()),
      (world, passkey) =>
        operate(world, `${passkey.id} is removed`, async ({ passkeys }) =>
          (await passkeys.remove(passkey.userId, passkey.id)) ? 'removed' : 'unknown',
        ),
    ),
  },
];
