import { shell } from './machine.ts';

/** Starts the cluster that Debian's package makes, on its own port. Returns what stops it. */
export async function startDebianPostgres(): Promise<() => Promise<string>> {
  const [version, name, , status] = (await shell('pg_lsclusters --no-header')).trim().split(/\s+/);
  if (status !== 'online') await shell(`pg_ctlcluster ${version} ${name} start`);
  return () => shell(`pg_ctlcluster ${version} ${name} stop --mode=fast`);
}
