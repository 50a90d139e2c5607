import '@lintel/config/decorators';
import { runMigrate } from './run-migrate.ts';

process.exitCode = await runMigrate(process.argv.slice(2), {
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
});
