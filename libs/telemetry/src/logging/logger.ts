/** What a child does differently. */
export interface ChildOptions {
  /** A logger whose lines are written at every `svc.log.level`; for the security log. */
  readonly everyLevel?: boolean;
}

/** Structured log of one service; JSON lines on standard output. It never gets tokens, bodies or query values. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** A logger that adds `fields` to every line. */
  child(fields: object, options?: ChildOptions): Logger;
}
