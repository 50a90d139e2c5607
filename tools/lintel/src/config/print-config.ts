import { environment } from '@lintel/config/environment';
import { applicationEnvironment } from '../application-context.ts';
import type { ExitCode } from '../run.ts';
import type { Terminal } from '../terminal.ts';
import type { PrintConfigOptions } from './config.command.ts';
import { explainProblems } from './explain-problems.ts';
import { type ConfigReport, reportConfig } from './report-config.ts';
import { type ServiceName, SHAPES } from './service-shapes.ts';

/** Prints the values in effect, or everything that would stop the start; returns 1 then. */
export async function printConfig(
  service: ServiceName | undefined,
  { application, mode, json }: PrintConfigOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const variables = { ...environment(), ...(application !== undefined && { SVC_APPLICATION: application }) };
  const report = await reportConfig(applicationEnvironment(variables), { mode, service });
  if (json === true) terminal.print(JSON.stringify(report));
  else if (report.valid) terminal.print(textOf(report));
  else terminal.note(explainProblems(report.problems));
  return report.valid ? 0 : 1;
}

/** Lines that could stand in a properties file, with the source of each value and the services that read it. */
function textOf({ mode, settings }: ConfigReport): string {
  const how = mode === 'standalone' ? 'in one process, as "npm start" runs them' : 'as processes of their own';
  const all = Object.keys(SHAPES).length;
  return [
    `# Settings of the services ${how}. Secrets are masked.`,
    ...settings.map(({ name, value, origin, services }) => {
      const line = value === null ? `# ${name} is not set` : `${name}=${value}`;
      return `${line.padEnd(72)} # ${origin}; ${services.length === all ? 'all' : services.join(', ')}`;
    }),
  ].join('\n');
}
