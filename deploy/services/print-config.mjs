/**
 * `npm run config:print`: short for `lintel config print`, with the example as the application where none is named.
 */
import { stderr, stdin, stdout } from 'node:process';
import { createTerminal, run } from '@lintel/cli';
import { environment, setEnvironmentDefault } from '@lintel/config/environment';

if (environment().SVC_CONFIG_FILE === undefined) setEnvironmentDefault('SVC_APPLICATION', '@lintel/example-sales');
process.exitCode = await run(['config', 'print', ...process.argv.slice(2)], createTerminal({ stdin, stdout, stderr }));
