import { startEmbeddedPostgres } from '../../src/index.ts';

// Starts the embedded database of a directory, says so in one line of JSON, and lives until it is killed.
const directory = process.argv[2] ?? '';
const { url, adopted } = await startEmbeddedPostgres({ directory });
process.stdout.write(`${JSON.stringify({ url, adopted })}\n`);
setInterval(() => undefined, 60_000);
