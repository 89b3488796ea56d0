import {
  identifySession,
  issueSignInLink,
  lookAtSignIn,
  redeemSignIn,
  requestSignIn,
  signOut,
  signOutEverywhere,
} from '@handover/domain';
import { type Credential, endAll, listCredentials } from '../world/ledger.ts';
import type { World } from '../world/open-world.ts';
import { type Action, onPicked, operate, pickRow } from './action.ts';

const CLIENT = 'Firefox';

/** How users sign in and out: sign-in links, sessions and API keys. */
export const ACCESS_ACTIONS: readonly Action[] = [
  {
    name: 'a user asks for a sign-in link',
    weight: 2,
    begin: (world) => {
      const email = pickUser(world)?.email ?? 'nobody@example.com';
      return operate(world, `${email} asks for a sign-in link`, (service) =>
        requestSignIn(service, { email, network: '192.0.2.9', client: CLIENT }),
      );
    },
  },
  {
    name: 'a sign-in link is issued by command line',
    weight: 5,
    begin: (world) => {
      const email = pickUser(world)?.email ?? 'nobody@example.com';
      return operate(world, `A sign-in link is issued for ${email}`, async (service) => {
        const issued = await issueSignInLink(service, email);
        if (issued.kind === 'issued') world.ledger.signInUrls.push(issued.url);
        return issued;
      });
    },
  },
  {
    name: 'a sign-in link is looked at',
    weight: 1,
    begin: onPicked(pickSignIn, (world, token) =>
      operate(world, `The link ${token} is looked at`, (service) => lookAtSignIn(service, token, CLIENT)),
    ),
  },
  {
    name: 'a user signs in',
    weight: 8,
    begin: onPicked(pickSignIn, (world, token) => {
      const id = token.slice('sign-in-'.length);
      return operate(world, `${token} signs in`, async (service) => {
        // Not from the memory: an open transaction may still roll back what it wrote there.
        const before = await world.stores.signIns.find(id);
        const wasOver =
          before && (before.redeemed || before.withdrawn || before.expiresAt <= service.clock.now());
        const result = await redeemSignIn(service, token, CLIENT);
        const isSignedIn = result.kind === 'signed-in';
        const times = world.ledger.signedIn.get(id) ?? 0;
        if (isSignedIn) {
          world.ledger.signedIn.set(id, times + 1);
          world.ledger.sessionTokens.set(result.sessionToken, {
            userId: before?.user.id ?? '',
            isOver: false,
          });
        }
        if (wasOver || times > 0)
          world.check(
            'a sign-in link signs in once, and not once it has expired or was withdrawn',
            isSignedIn ? token : null,
          );
        return result;
      });
    }),
  },
  {
    name: 'a page is asked for',
    weight: 6,
    begin: onPicked(
      (world) => pickCredential(world, world.ledger.sessionTokens),
      (world, [token, session]) =>
        operate(world, `A page is asked for by ${token}`, async (service) => {
          const wasOver = session?.isOver === true;
          const signedIn = await identifySession(service, token);
          if (wasOver) world.check('a session that has ended serves nothing', signedIn ? token : null);
          return signedIn ? 'served' : 'refused';
        }),
    ),
  },
  {
    name: 'a user signs out',
    weight: 2,
    begin: (world) => {
      const [token, session] = pickRow(world, world.ledger.sessionTokens) ?? [];
      if (token === undefined || !session) return null;
      return operate(world, `${token} is signed out`, async (service) => {
        const wasOpen = await signOut(service, token);
        session.isOver = true;
        return wasOpen ? 'signed-out' : 'signed-out-before';
      });
    },
  },
  {
    name: 'a user signs out everywhere',
    weight: 1,
    begin: onPicked(pickUser, (world, user) =>
      operate(world, `${user.email} signs out everywhere`, async (service) => {
        const known = listCredentials(world.ledger.sessionTokens, user.id);
        await signOutEverywhere(service, user.id);
        endAll(known);
      }),
    ),
  },
];

/** Anyone who has ever been a user, member or not. */
export function pickUser(world: World) {
  return pickRow(world, world.memory.users.values());
}

/** Every second time an expired credential, if there is any, because most are valid. */
export function pickCredential(world: World, known: ReadonlyMap<string, Credential>) {
  const over = [...known].filter(([, { isOver }]) => isOver);
  return pickRow(world, over.length > 0 && world.random.below(2) === 0 ? over : known);
}

/** A token from one of the mails that have arrived, or from the command line. */
function pickSignIn(world: World): string | undefined {
  const mailed = world.mailServer.accepted.flatMap(({ kind, links }) => (kind === 'sign-in' ? links : []));
  return pickRow(world, [...mailed, ...world.ledger.signInUrls])?.split('/sign-in/')[1];
}
