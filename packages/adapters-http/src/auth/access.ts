import {
  type ActivityOrigin,
  type Authorisation,
  authorise,
  type Clock,
  type Role,
  type SignedIn,
} from '@handover/domain';
import type { Session } from './sessions.ts';

/**
 * Who may use a route. `anyone`: no session needed. `signed-in`: any user, also without an organisation or
 * with an expired subscription. `member` and `admin`: as the domain's `authorise` defines them.
 */
export type Access = 'anyone' | 'signed-in' | 'member' | 'admin';

/** A requester who may be signed in. */
export interface PublicContext {
  readonly user: SignedIn | null;
  readonly sessionToken: string | null;
}

/** A signed-in user, with or without an organisation. */
export interface UserContext extends Session {
  /** The user and the client, for the activity log. */
  readonly by: ActivityOrigin;
  /** Null: the user has no organisation, and so no activity log. */
  readonly orgId: string | null;
}

/** A user of an organisation. Every query to a store starts with `orgId`. */
export interface MemberContext extends UserContext {
  readonly orgId: string;
  readonly role: Role;
}

/** What is known about the requester, by required access. */
export interface ContextOf {
  readonly anyone: PublicContext;
  readonly 'signed-in': UserContext;
  readonly member: MemberContext;
  readonly admin: MemberContext;
}

export type Refused =
  | { readonly kind: 'signed-out' }
  | Extract<Authorisation, { readonly kind: 'forbidden' }>;

export type Admission<Context> = { readonly kind: 'admitted'; readonly context: Context } | Refused;

/** Checks whether the requester has the required access: 401 precedes 403. */
export function admit<Required extends Access>(
  access: Required,
  session: Session | null,
  ports: { readonly clock: Clock },
): Admission<ContextOf[Required]> {
  return GATES[access](session, ports);
}

const GATES: {
  readonly [Required in Access]: (
    session: Session | null,
    ports: { readonly clock: Clock },
  ) => Admission<ContextOf[Required]>;
} = {
  anyone: (session) => ({
    kind: 'admitted',
    context: { user: session?.user ?? null, sessionToken: session?.sessionToken ?? null },
  }),
  'signed-in': (session) =>
    session ? { kind: 'admitted', context: describeUser(session) } : { kind: 'signed-out' },
  member: (session, ports) => admitMember('member', session, ports),
  admin: (session, ports) => admitMember('admin', session, ports),
};

function admitMember(
  work: 'member' | 'admin',
  session: Session | null,
  ports: { readonly clock: Clock },
): Admission<MemberContext> {
  if (!session) return { kind: 'signed-out' };
  const { user } = session;
  const authorisation = authorise(user, work, ports);
  if (authorisation.kind === 'forbidden') return authorisation;
  if (!user.membership) return { kind: 'forbidden', reason: 'no-organisation' };
  const { orgId, role } = user.membership;
  return { kind: 'admitted', context: { ...describeUser(session), orgId, role } };
}

function describeUser(session: Session): UserContext {
  const { email, membership } = session.user;
  return { ...session, by: { actor: email, via: 'dashboard' }, orgId: membership?.orgId ?? null };
}
