export { createProgram } from './program.ts';
export { type ExitCode, run } from './run.ts';
export { createTerminal, type Terminal } from './terminal.ts';
