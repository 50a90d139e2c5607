import { covers, EXCEPTIONS, type Exception } from './exceptions.ts';
import type { Finding, Rule } from './rule.ts';
import { RULES } from './rules/index.ts';
import type { Workspace } from './workspace/workspace.ts';

/** A finding that no exception excuses. */
export interface Violation extends Finding {
  readonly rule: Rule;
}

export interface CheckResult {
  /** By file and line. */
  readonly violations: readonly Violation[];
  /** Exceptions that excuse nothing. */
  readonly unusedExceptions: readonly Exception[];
}

/** Applies all rules. */
export function checkBoundaries(
  workspace: Workspace,
  rules: readonly Rule[] = RULES,
  exceptions: readonly Exception[] = EXCEPTIONS,
): CheckResult {
  const violations: Violation[] = [];
  const used = new Set<Exception>();
  for (const rule of rules)
    for (const finding of rule.check(workspace)) {
      const exception = exceptions.find((one) => one.rule === rule.id && excuses(one, finding));
      if (exception === undefined) violations.push({ ...finding, rule });
      else used.add(exception);
    }
  violations.sort((one, other) => compare(one.file, other.file) || one.line - other.line);
  return { violations, unusedExceptions: exceptions.filter((exception) => !used.has(exception)) };
}

const excuses = (exception: Exception, { file, what }: Finding): boolean =>
  covers(exception, file) && (exception.what === undefined || what.includes(exception.what));

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
