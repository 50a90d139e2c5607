import type { Condition } from '../ast/condition.ts';
import type { ParsedQuery } from './parsed-query.ts';

/** Whether a read shows dynamic attributes or filters by them, so that the model must have their definitions. */
export const needsDynamicAttributes = ({ dynamicAttributes, filter }: ParsedQuery): boolean =>
  dynamicAttributes || (filter !== undefined && namesDynamic(filter));

function namesDynamic(condition: Condition): boolean {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.conditions.some(namesDynamic);
    case 'not':
      return namesDynamic(condition.condition);
    case 'comparison':
    case 'text':
    case 'in':
    case 'null':
      return condition.path.includes('+');
    default:
      return false;
  }
}
