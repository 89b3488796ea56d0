import type { ApiScope, Role } from '@handover/domain';
import type { ColumnType, Generated } from 'kysely';

/** Who may sign in or call the API, and with what: see schema.ts. */
export interface AccessTables {
  users: {
    id: string;
    email: string;
    email_normalized: string;
    name: string | null;
    org_id: string | null;
    role: Role | null;
    created_at: Date;
  };
  api_keys: {
    user_id: string;
    name: Generated<string>;
    /** Null: everything. */
    scopes: ApiScope[] | null;
    hash: string;
    sealed: string;
    created_at: Date | null;
    expires_at: Date | null;
    last_used_at: Date | null;
  };
  sign_ins: {
    id: string;
    user_id: string;
    created_at: Date;
    expires_at: Date;
    redeemed_at: Date | null;
    withdrawn: Generated<boolean>;
    return_to: string | null;
  };
  invitations: {
    org_id: string;
    id: string;
    email: string;
    email_normalized: string;
    name: string | null;
    role: Role;
    invited_by: string;
    created_at: Date;
    expires_at: Date;
    accepted_at: Date | null;
  };
  user_sessions: {
    hash: string;
    user_id: string;
    created_at: Date;
    expires_at: Date;
    client: string | null;
    last_seen_at: Date | null;
    confirmed_at: Date | null;
  };
  passkeys: {
    id: string;
    user_id: string;
    name: string;
    public_key: string;
    counter: ColumnType<string, number, number>;
    transports: string[];
    created_at: Date;
    last_used_at: Date | null;
  };
  passkey_challenges: { challenge: string; user_id: string | null; expires_at: Date };
  user_devices: {
    id: string;
    user_id: string;
    hash: string;
    client: string;
    created_at: Date;
    seen_at: Date;
  };
}
