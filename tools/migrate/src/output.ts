/** Where a command writes: lines without their end. */
export interface Output {
  /** Results. With `--json` one line, the answer. */
  readonly print: (line: string) => void;
  /** Why the command failed. */
  readonly printError: (line: string) => void;
}
