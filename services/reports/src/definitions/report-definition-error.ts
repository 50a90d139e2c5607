import { StartError } from '@lintel/errors';
/** Report definitions that contradict themselves or ask for what does not exist. Stops the start. */
export class ReportDefinitionError extends StartError {
  constructor(problems: readonly string[]) {
    super(`The reports of the application are not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ReportDefinitionError';
  }
}
