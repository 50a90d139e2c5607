import '@lintel/config/decorators';
import { stderr, stdin, stdout } from 'node:process';
import { ignoreClosedPipes } from './ignore-closed-pipes.ts';
import { run } from './run.ts';
import { createTerminal } from './terminal.ts';

ignoreClosedPipes(stdout, stderr);
process.exitCode = await run(process.argv.slice(2), createTerminal({ stdin, stdout, stderr }));
