/** What a child does differently. */
export interface ChildOptions {
  /** A logger whose lines are written at every `svc.log.level`; for the security log. */
  readonly everyLevel?: boolean;
}

/** The fields of the line of a served request. */
export interface RequestLine {
  readonly method: string | undefined;
  /** A template, never a path with values. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  readonly session: string | undefined;
  readonly traceId: string | undefined;
  /** Whether the client disconnected before the response was complete. */
  readonly aborted: boolean;
}

/** Structured log of one service; JSON lines on standard output. It never gets tokens, bodies or query values. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** A logger that adds `fields` to every line. */
  child(fields: object, options?: ChildOptions): Logger;
  /** Writes the line `request` at level `info`, at a third of the cost of `info`. Not every logger has it. */
  request?(line: RequestLine): void;
}

/** A logger of `createLogger`. */
export interface RequestLogger extends Logger {
  request(line: RequestLine): void;
  child(fields: object, options?: ChildOptions): RequestLogger;
}
