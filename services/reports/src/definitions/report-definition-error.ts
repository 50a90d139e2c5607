import { StartError } from '@lintel/errors';

/** Invalid report definitions. Stops the start. */
export class ReportDefinitionError extends StartError {
  constructor(problems: readonly string[]) {
    super(`The reports of the application are not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ReportDefinitionError';
  }
}
