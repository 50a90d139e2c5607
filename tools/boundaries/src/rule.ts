import type { Workspace } from './workspace/workspace.ts';

/** A statement, declaration or text that breaks a rule. */
export interface Finding {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** What is there, with the name that is imported or used. */
  readonly what: string;
}

/** One dependency rule of the repository. Rules are pure: the same workspace gives the same findings. */
export interface Rule {
  /** Stable: exceptions and the documentation refer to it. */
  readonly id: string;
  /** What must hold, as one sentence. */
  readonly statement: string;
  readonly because: string;
  readonly check: (workspace: Workspace) => Iterable<Finding>;
}
