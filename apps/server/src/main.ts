import { runProgram } from './cli/program.ts';
import { createPrivately } from './close-data-dir.ts';

// What bin/handover starts.
createPrivately();
await runProgram(process.env, process.argv.slice(2));
