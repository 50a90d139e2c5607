/** The output of a command: lines without line breaks. */
export interface Output {
  /** Prints results; with `--json` one line. */
  readonly print: (line: string) => void;
  /** Prints why the command failed. */
  readonly printError: (line: string) => void;
}
