/**
 * Shows the effective configuration and ends: `npm run config:print`. Exit code 0 when the services could start
 * with it, 1 when not, with everything that is wrong; 2 for a command line that makes no sense.
 */
import { parseArgs } from 'node:util';
import { environment } from '@lintel/config/environment';
import { explainProblems } from './explain-problems.mjs';
import { reportConfig } from './report-config.mjs';
import { SHAPES } from './service-shapes.mjs';

const USAGE = `npm run config:print -- [service] [options]

  service               ${Object.keys(SHAPES).join(', ')}; all of them without it
  --mode <mode>         standalone: as npm start runs them; services: as processes of their own.
                        Without it: services where svc.datasource.url is set
  --json                print JSON, in one line
`;

async function main() {
  let choice;
  try {
    choice = readArguments();
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`);
    return 2;
  }
  if (choice.help) {
    console.log(USAGE);
    return 0;
  }
  const report = await reportConfig(environment(), choice);
  if (choice.json) console.log(JSON.stringify(report));
  else if (report.valid) print(report);
  else console.error(explainProblems(report.problems));
  return report.valid ? 0 : 1;
}

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { mode: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  const [service, ...more] = positionals;
  if (more.length > 0) throw new Error(`Too many arguments: ${more.join(' ')}`);
  if (service !== undefined && !(service in SHAPES)) throw new Error(`There is no service "${service}".`);
  if (values.mode !== undefined && !['standalone', 'services'].includes(values.mode))
    throw new Error(`There is no mode "${values.mode}".`);
  return { service, ...values };
}

/** Lines that could stand in a properties file, with where each value comes from and who reads it. */
function print({ mode, settings }) {
  const how = mode === 'standalone' ? 'in one process, as "npm start" runs them' : 'as processes of their own';
  console.log(`# Settings of the services ${how}. Secrets are masked.`);
  for (const { name, value, origin, services } of settings) {
    const line = value === null ? `# ${name} is not set` : `${name}=${value}`;
    const readers = services.length === Object.keys(SHAPES).length ? 'all' : services.join(', ');
    console.log(`${line.padEnd(72)} # ${origin}; ${readers}`);
  }
}

process.exitCode = await main();
