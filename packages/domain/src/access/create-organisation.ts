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

/**
 * `apiKey` is the owner’s, in full. `email-taken`: the owner’s address is that of a user already; nothing is made.
 */
type CreateOrganisationResult =
  | {
      readonly kind: 'created';
      readonly organisation: Organisation;
      readonly owner: User;
      readonly apiKey: string;
    }
  | InvalidForm
  | { readonly kind: 'email-taken' };

/** Adds an organisation and its owner, whose name may come later. The owner's address is where buyers' replies go. */
export async function createOrganisation(
  ports: AccessPorts,
  input: {
    readonly name: string;
    readonly ownerEmail: string;
    readonly ownerName?: string;
    /** Of orders that name none. It can be chosen later. */
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
 * `apiKey` is the user’s, in full. `email-taken`: there is a user of that address, who belongs to an organisation or is
 * not to join one.
 */
type CreateUserResult =
  | { readonly kind: 'created'; readonly user: User; readonly apiKey: string }
  | InvalidForm
  | { readonly kind: 'email-taken' }
  | { readonly kind: 'unknown-organisation' };

/**
 * Adds a user, with or without an organisation, and an API key: for the operator of the installation, who needs no
 * invitation. A user of that address who belongs to no organisation joins this one.
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
