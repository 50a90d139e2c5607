import type { Entity, Model } from '@lintel/metadata';
import { type Condition, checkCondition, parsePolicyCondition, serverParametersOf } from '@lintel/query';
import { pathProblem } from './attribute-path.ts';
import { serverParameterProblem } from './server-parameters.ts';

/**
 * Parses the condition of a query policy and checks it against the model.
 *
 * @throws PlatformError or Error that names the invalid text, path, operator, value or parameter
 */
export function parseCheckedCondition(model: Model, entity: Entity, where: string, join?: string): Condition {
  const condition = parsePolicyCondition(where, undefined, join);
  for (const path of pathsOf(condition)) {
    const problem = pathProblem(model, entity, path);
    if (problem !== undefined) throw new Error(problem);
  }
  checkCondition(model, entity, condition);
  assertServerParameters(model, entity, condition);
  return condition;
}

/** @throws Error for a parameter that has a value for no caller */
export function assertServerParameters(model: Model, entity: Entity, condition: Condition): void {
  const problem = serverParameterProblem(model, serverParametersOf(model, entity, condition));
  if (problem !== undefined) throw new Error(problem);
}

/** The paths of the simple tests; the compiler's own errors have the names of the others. */
function pathsOf(condition: Condition): readonly string[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.conditions.flatMap(pathsOf);
    case 'not':
      return pathsOf(condition.condition);
    case 'comparison':
    case 'text':
    case 'in':
    case 'null':
      return [condition.path];
    default:
      return [];
  }
}
