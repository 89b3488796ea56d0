#!/usr/bin/env node
// First: libraries that the others load need it.
import 'reflect-metadata';
import { runProgram } from './cli/program.ts';
import { createPrivately } from './composition/close-data-dir.ts';

// The entry point of bin/handover, and the command of the package.
createPrivately();
await runProgram(process.env, process.argv.slice(2));
