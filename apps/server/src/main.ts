#!/usr/bin/env node
import { runProgram } from './cli/program.ts';
import { createPrivately } from './close-data-dir.ts';

// What bin/handover starts, and what the package has as its command.
createPrivately();
await runProgram(process.env, process.argv.slice(2));
