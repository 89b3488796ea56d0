import { createLog } from '../../src/serve/log.ts';
import { runServer } from '../../src/serve/run-server.ts';
import { readSettings } from '../../src/settings/settings.ts';

// The real server, with a log at the most detailed level everywhere.
const read = readSettings(process.env);
if ('problems' in read) throw new Error(JSON.stringify(read.problems));
const log = createLog();
log.level = 'trace';
const server = await runServer(read.settings, log);
log.info(`listening at ${server.settings.siteUrl}`);
process.once('SIGTERM', () => server.stop().finally(() => process.exit()));
