export { type CheckResult, checkBoundaries, type Violation } from './check-boundaries.ts';
export { EXCEPTIONS, type Exception } from './exceptions.ts';
export { formatResult } from './format-result.ts';
export type { Finding, Rule } from './rule.ts';
export { RULES } from './rules/index.ts';
export { buildWorkspace } from './workspace/build-workspace.ts';
export { readWorkspace } from './workspace/read-workspace.ts';
export type { Workspace } from './workspace/workspace.ts';
