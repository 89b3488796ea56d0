// `npm run failover -- NAME`: what Handover does while a part of it is away, with real parts. See docs/failover.md.
import { runOnDebian } from '../run-on-debian.ts';

runOnDebian({
  command: 'failover',
  folder: 'failover',
  names: ['pgbouncer', 'standby', 'haproxy', 'archive', 'files', 'mail'],
  packages: ['postgresql', 'pgbouncer', 'haproxy', 'faketime', 'pgbackrest'],
  needsRoot: 'install PostgreSQL, pgbouncer, HAProxy, pgBackRest and faketime with apt',
});
