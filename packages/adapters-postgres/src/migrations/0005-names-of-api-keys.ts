import type { Migration } from './migration-kinds.ts';

export const namesOfApiKeys: Migration = {
  kind: 'indexes',
  compatibleWith: '0003-traced-deliveries',
  create: [{ name: 'api_keys_by_name', unique: true, on: 'api_keys (user_id, name)' }],
};
