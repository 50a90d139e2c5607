import { join } from 'node:path';
import type { Application } from '@lintel/application';
import {
  defineSettings,
  loadApplication,
  loadSettings,
  platformSettings,
  processSources,
  setting,
  textValue,
} from '@lintel/config';
import { applicationFolder } from './application-folder.ts';
import { parseArguments, USAGE, UsageError } from './parse-arguments.ts';
import { runCommand } from './run-command.ts';

const settings = defineSettings({
  application: platformSettings.application,
  url: setting('svc.datasource.url', textValue(), 'PostgreSQL URL of the owner of the application schemas', {
    secret: true,
  }),
});

async function main(): Promise<number> {
  const { command, properties } = parseArguments(process.argv.slice(2));
  if (command.kind === 'help') {
    console.log(USAGE);
    return 0;
  }
  // Properties of the services are none of this tool's business.
  const config = loadSettings(settings, processSources({ overrides: properties, knownKeys: ['svc.*'] }));
  const application = await loadApplication<Application>(config.application);
  return runCommand(command, {
    application,
    url: config.url,
    folder: () => join(applicationFolder(config.application, process.cwd()), 'src', 'migrations'),
    now: () => new Date(),
    print: (line) => console.log(line),
  });
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  if (error instanceof UsageError) console.error(`\n${USAGE}`);
  process.exitCode = 2;
}
