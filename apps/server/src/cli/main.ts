import { buildProgram } from './program.ts';

await buildProgram(process.env).parseAsync(process.argv);
