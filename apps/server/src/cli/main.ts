import { createPrivately } from '../close-data-dir.ts';
import { runProgram } from './program.ts';

createPrivately();
await runProgram(process.env, process.argv.slice(2));
