import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTrialServer } from '../../bench/trial-server.ts';

/** A running installation with its demo shop, and what the jobs need from outside of their pages. */
export interface Installation {
  readonly url: string;
  readonly ownerEmail: string;
  /** A file to upload. */
  readonly file: string;
  /** A paid order arrives, as its shop sends it. */
  order(order: { readonly number: string; readonly sku?: string; readonly email?: string }): Promise<void>;
  /** Makes the demo's product a draft: its orders are held. */
  unpublish(): Promise<void>;
  /** The link of the newest mail to an address that has one like it. */
  findMailed(email: string, link: RegExp): Promise<string>;
  /** As if two days had passed. */
  expireLinks(): Promise<void>;
  end(): Promise<void>;
}

export async function openInstallation(): Promise<Installation> {
  const server = await startTrialServer();
  const { url, dataDir, query } = server;
  const [owner] = await query<{ readonly email: string; readonly org_id: string }>(
    `select email, org_id from users where role = 'owner'`,
  );
  const file = join(dataDir, 'strings.zip');
  await writeFile(file, new Uint8Array(200_000).fill(7));
  return {
    url,
    ownerEmail: owner?.email ?? '',
    file,
    order: async ({ number, sku = 'felt-piano', email = 'ana@example.com' }) => {
      const words = ['simulate', 'storefront-a', '--org', owner?.org_id ?? ''];
      await server.run([...words, '--order', number, '--sku', sku, '--email', email]);
    },
    unpublish: async () => {
      await query(`update products set status = 'draft' where slug = 'felt-piano'`);
    },
    findMailed: (email, link) => findMailed(url, email, link),
    expireLinks: async () => {
      await query(`update download_links set expires_at = now() - interval '1 day'`);
    },
    end: server.end,
  };
}

const WAIT_TIMEOUT_MS = 60_000;

async function findMailed(url: string, email: string, link: RegExp): Promise<string> {
  const end = Date.now() + WAIT_TIMEOUT_MS;
  while (Date.now() < end) {
    const list = await (await fetch(`${url}/dev/mail`)).text();
    for (const [, name] of list.matchAll(/href="\/dev\/mail\/([^"/]+)"/g)) {
      const mail = await (await fetch(`${url}/dev/mail/${name}`)).text();
      const found = mail.includes(email) && link.exec(mail)?.[0];
      if (found) return found;
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`No mail to ${email} has a link like ${link}.`);
}
