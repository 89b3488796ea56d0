import type pg from 'pg';
import { ImportError } from './import-error.ts';

/**
 * Adds the users of an imported organisation. An address has one user in the installation: a user with the same address joins the
 * organisation, unless they are in another one. The others are added with their ids. As for everybody who joins, earlier sessions
 * and keys end: nobody enters the organisation with access from before. The table `merged_users` has both ids of each user.
 */
export async function mergeUsers(
  client: pg.ClientBase,
  copyInto: (table: string) => Promise<void>,
): Promise<void> {
  await client.query(
    'create temporary table staged_users on commit drop as select * from users with no data',
  );
  await copyInto('staged_users');
  const { rows } = await client.query<{ readonly email: string; readonly isMember: boolean }>(
    `select staged.email, users.org_id is not null as "isMember"
     from users join staged_users staged on staged.email_normalized = users.email_normalized
     order by users.id for update of users`,
  );
  const members = rows.filter(({ isMember }) => isMember);
  if (members.length > 0) {
    const emails = members.slice(0, MAX_NAMED).map(({ email }) => email);
    throw new ImportError(
      'conflict',
      `A user can be in one organisation, and these are in another one here: ${emails.join(', ')}. Nothing was changed. Let them leave one of the two, then export and import again.`,
    );
  }
  await client.query(
    `update users set org_id = staged.org_id, role = staged.role from staged_users staged
     where users.email_normalized = staged.email_normalized`,
  );
  for (const end of END_ACCESS) await client.query(end);
  await client.query(
    `insert into users select staged.* from staged_users staged
     where not exists (select from users where email_normalized = staged.email_normalized)`,
  );
  await client.query(
    `create temporary table merged_users on commit drop as
     select staged.id as id_there, users.id as id_here, staged.org_id
     from staged_users staged join users on users.email_normalized = staged.email_normalized`,
  );
}

const MAX_NAMED = 20;

const JOINED =
  'select users.id from users join staged_users staged on staged.email_normalized = users.email_normalized';

/** Ends the access of those who joined: only they are in the table now. In the order of `endSessions`. */
const END_ACCESS = [
  `delete from api_keys where user_id in (${JOINED})`,
  `delete from passkeys where user_id in (${JOINED})`,
  `update sign_ins set withdrawn = true where redeemed_at is null and user_id in (${JOINED})`,
  `delete from user_sessions where user_id in (${JOINED})`,
];

/** An inviter must be a user of the organisation, or have left it: then only accepted invitations may name them. */
export async function mergeInviters(client: pg.ClientBase, orgId: string): Promise<void> {
  const merged = '(select id_here from merged_users where id_there = invited_by)';
  const { rowCount } = await client.query(
    `select from invitations where org_id = $1 and accepted_at is null and ${merged} is null limit 1`,
    [orgId],
  );
  if (rowCount !== 0) {
    throw new ImportError(
      'damaged',
      'invitations: somebody who is not in the organisation invites. Nothing was changed. Withdraw that invitation, then export and import again.',
    );
  }
  await client.query(`update invitations set invited_by = coalesce(${merged}, $2) where org_id = $1`, [
    orgId,
    '00000000-0000-0000-0000-000000000000',
  ]);
}
