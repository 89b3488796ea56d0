import type { Role, TeamMember } from '@handover/domain';

/** With their article, for use within a sentence. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  owner: 'an owner',
  admin: 'an admin',
  member: 'a member',
};

export const ROLE_TITLES: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  admin: 'Admin',
  member: 'Member',
};

export const ROLE_OPTIONS: readonly { readonly value: Role; readonly words: string }[] = [
  { value: 'member', words: 'Member: products, their files and downloads' },
  { value: 'admin', words: 'Admin: everything, except the owners' },
  { value: 'owner', words: 'Owner: everything' },
];

export const NO_SUCH_ROLE = 'Choose one of the roles.';
export const NO_OWNERS_BY_ADMINS = 'Only an owner may add an owner. Choose another role, or ask an owner.';
export const ALREADY_MEMBER = 'This person is in your team already.';
export const ALREADY_INVITED =
  'There is an open invitation for this address. You can send it again, or withdraw it, on the team page.';

export const ONLY_OWNERS_INVITE_OWNERS =
  'Only an owner may send or withdraw the invitation of an owner. Ask an owner to do it.';

export const REFUSALS = {
  'not-allowed': 'Only an owner may make, change or remove an owner. Ask an owner to do it.',
  'last-owner':
    'This is the last owner, and somebody must be left who may do everything. Make another owner first.',
} as const;

/** The link back from a page about one person. */
export const TEAM = { href: '/dashboard/settings/team', words: 'Team' };

/** The name of a person, or the address of one who has not said it yet. */
export function nameOf({ name, email }: Pick<TeamMember, 'name' | 'email'>): string {
  return name ?? email;
}

/** What leaving costs, before it is confirmed. */
export function leavingLoss(organisation: string): string {
  return `You lose every page of ${organisation}, you are signed out everywhere, and your API keys and passkeys stop working, at once. You cannot come back by yourself: an owner or admin has to invite you again.`;
}
