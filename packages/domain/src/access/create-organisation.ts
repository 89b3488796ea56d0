import { DEFAULT_LANGUAGE, DEFAULT_TIME_ZONE } from '../model/language.ts';
import type { Organisation } from '../model/organisation.ts';
import type { Role, User } from '../model/user.ts';
import {
  type InvalidForm,
  NOTHING,
  readAddress,
  readCurrency,
  readFields,
  readName,
} from '../model/validation.ts';
import type { Organisations, Users } from '../ports/access.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { ApiKeys } from '../ports/tokens.ts';

interface AccessPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly apiKeys: Pick<ApiKeys, 'mint'>;
  readonly organisations: Pick<Organisations, 'add'>;
  readonly users: Pick<Users, 'add'>;
}

/** `apiKey`: the owner's key in plain text. `email-taken`: a user with the owner's address exists; nothing is created. */
type CreateOrganisationResult =
  | {
      readonly kind: 'created';
      readonly organisation: Organisation;
      readonly owner: User;
      readonly apiKey: string;
    }
  | InvalidForm
  | { readonly kind: 'email-taken' };

/** Creates an organisation and its owner. The owner's address is also the Reply-To of mails to buyers. */
export async function createOrganisation(
  ports: AccessPorts,
  input: {
    readonly name: string;
    readonly ownerEmail: string;
    readonly ownerName?: string;
    /** The currency of orders that name none. It can be chosen later. */
    readonly currency?: string;
  },
): Promise<CreateOrganisationResult> {
  const read = readFields({
    name: readName('name', input.name),
    email: readAddress('owner-email', input.ownerEmail),
    ownerName: input.ownerName === undefined ? NOTHING : readName('owner-name', input.ownerName),
    defaultCurrency: input.currency === undefined ? NOTHING : readCurrency('currency', input.currency),
  });
  if (read.kind === 'invalid') return read;
  const { name, email, ownerName, defaultCurrency } = read.value;

  const createdAt = ports.clock.now();
  const orgId = ports.ids.next();
  const organisation: Organisation = {
    id: orgId,
    name,
    email,
    alertEmail: null,
    defaultCurrency,
    language: DEFAULT_LANGUAGE,
    timeZone: DEFAULT_TIME_ZONE,
    subscriptionExpiresAt: null,
    createdAt,
  };
  const owner: User = {
    id: ports.ids.next(),
    email,
    name: ownerName,
    membership: { orgId, role: 'owner' },
    createdAt,
  };
  const { key, stored } = ports.apiKeys.mint();
  const outcome = await ports.organisations.add(organisation, owner, stored);
  return outcome === 'added'
    ? { kind: 'created', organisation, owner, apiKey: key }
    : { kind: 'email-taken' };
}

/**
 * `apiKey`: the user's key in plain text. `email-taken`: a user with that address exists, and is a member of an organisation,
 * or no membership was requested.
 */
type CreateUserResult =
  | { readonly kind: 'created'; readonly user: User; readonly apiKey: string }
  | InvalidForm
  | { readonly kind: 'email-taken' }
  | { readonly kind: 'unknown-organisation' };

/**
 * Creates a user with an API key, with or without a membership: for the operator of the installation, who needs no invitation.
 * An existing user without an organisation joins the one of `membership`.
 */
export async function createUser(
  ports: Omit<AccessPorts, 'organisations'>,
  input: {
    readonly email: string;
    readonly name: string | null;
    readonly membership: { readonly orgId: string; readonly role: Role } | null;
  },
): Promise<CreateUserResult> {
  const read = readFields({
    email: readAddress('email', input.email),
    name: input.name === null ? NOTHING : readName('name', input.name),
  });
  if (read.kind === 'invalid') return read;
  const { key, stored } = ports.apiKeys.mint();
  const user: User = {
    id: ports.ids.next(),
    ...read.value,
    membership: input.membership,
    createdAt: ports.clock.now(),
  };
  const outcome = await ports.users.add(user, stored);
  return typeof outcome === 'string' ? { kind: outcome } : { kind: 'created', user: outcome, apiKey: key };
}
