import { StartError } from '@lintel/errors';
/** Settings that stop the start. The message lists every problem, one per line. */
export class ConfigurationError extends StartError {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigurationError';
    this.problems = problems;
  }
}
