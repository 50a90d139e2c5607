export type { EntityReadAccess, ReadAccess } from './access.ts';
export type { ComparisonOperator, Condition, TextOperator, Value } from './ast/condition.ts';
