import '@lintel/config/decorators';
import { stderr, stdin, stdout } from 'node:process';
import { resolvePlatformPackages } from './resolve-platform-packages.ts';
import { run } from './run.ts';
import { createTerminal } from './terminal.ts';

resolvePlatformPackages();
process.exitCode = await run(process.argv.slice(2), createTerminal({ stdin, stdout, stderr }));
