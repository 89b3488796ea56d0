import type { Role } from '@handover/domain';

/** With their article, as they stand within a sentence. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  owner: 'an owner',
  admin: 'an admin',
  member: 'a member',
};

export const ROLE_OPTIONS: readonly { readonly value: Role; readonly words: string }[] = [
  { value: 'member', words: 'Member: products, their files and downloads' },
  { value: 'admin', words: 'Admin: everything, except the owners' },
  { value: 'owner', words: 'Owner: everything' },
];

export const NO_SUCH_ROLE = 'Choose one of the roles.';
export const NO_OWNERS_BY_ADMINS = 'Only an owner may add an owner. Choose another role, or ask an owner.';
export const INVITED_ADDRESS_TAKEN =
  'Somebody of this or of another organisation has this address. Write another address of theirs.';

export const REFUSALS = {
  'not-allowed': 'Only an owner may make, change or remove an owner. Ask an owner to do it.',
  'last-owner':
    'This is the last owner, and somebody must be left who may do everything. Make another owner first.',
} as const;
