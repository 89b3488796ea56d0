import type pg from 'pg';
import { ImportError } from './import-error.ts';

/**
 * Users are the installation's, and an address is one user. One who is here already joins the organisation, unless
 * another one has them; the others come with their ids. `merged_users` says who is who.
 */
export async function mergeUsers(
  client: pg.ClientBase,
  copyInto: (table: string) => Promise<void>,
): Promise<void> {
  await client.query(
    'create temporary table staged_users on commit drop as select * from users with no data',
  );
  await copyInto('staged_users');
  const { rows } = await client.query<{ readonly email: string }>(
    `select staged.email from staged_users staged
     join users on users.email_normalized = staged.email_normalized
     where users.org_id is not null order by 1 limit 20`,
  );
  if (rows.length > 0) {
    const emails = rows.map(({ email }) => email).join(', ');
    throw new ImportError(
      'conflict',
      `A user can be in one organisation, and these are in another one here: ${emails}. Nothing was changed. Let them leave one of the two, then export and import again.`,
    );
  }
  await client.query(
    `update users set org_id = staged.org_id, role = staged.role from staged_users staged
     where users.email_normalized = staged.email_normalized`,
  );
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
