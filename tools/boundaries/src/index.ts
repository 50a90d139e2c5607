export { buildWorkspace } from './build-workspace.ts';
export { type CheckResult, checkBoundaries, type Violation } from './check-boundaries.ts';
export { EXCEPTIONS, type Exception } from './exceptions.ts';
export { formatResult } from './format-result.ts';
export { readWorkspace } from './read-workspace.ts';
export type { Finding, Rule, RuleId } from './rule.ts';
export { RULES } from './rules/index.ts';
export type { Workspace } from './workspace.ts';
