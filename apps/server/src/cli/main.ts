import { runProgram } from './program.ts';

await runProgram(process.env, process.argv.slice(2));
