import { StartError } from '@lintel/errors';

/** An application whose parts contradict each other; each problem is a sentence, or several lines. */
export class ApplicationError extends StartError {
  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(
      `The application is not valid:\n${problems.map((problem) => `  - ${problem.replaceAll('\n', '\n    ')}`).join('\n')}`,
      options,
    );
    this.name = 'ApplicationError';
  }
}

/** Throws the error, or one with the messages of all of them, each once. */
export function throwProblems(errors: readonly StartError[]): void {
  const messages = [...new Set(errors.map(({ message }) => message))];
  const [first] = errors;
  if (first === undefined) return;
  throw messages.length === 1 ? first : new ApplicationError(messages, { cause: first });
}
