export type { EntityReadAccess, ReadAccess } from './access.ts';
export type { ComparisonOperator, Condition, InputList, TextOperator, Value } from './ast/condition.ts';
export {
  formatEntityId,
  hasCompositeKey,
  type KeyPart,
  keyPartsOf,
  parseEntityId,
  parseKeyValue,
} from './ids/entity-id.ts';
export {
  type ExactJson,
  ExactNumber,
  type ExactObject,
  isExactObject,
  parseExactJson,
  readExactJson,
} from './json/exact-json.ts';
export { type LiteralType, literalTypeOf, parameterTypeOf, typeNameOf } from './literals/literal-type.ts';
export { parseLiteral, parseScalar } from './literals/parse-literal.ts';
export { type Parsed, parseText, type SqlValue } from './literals/parse-text.ts';
export { parseFetchPlan } from './parse/parse-fetch-plan.ts';
export { parseFilter } from './parse/parse-filter.ts';
export { type ParseOptions, parseRead } from './parse/parse-read.ts';
export type {
  ParsedFetchPlan,
  ParsedQuery,
  ParsedSortKey,
  RawReadRequest,
  ReadOperation,
} from './parse/parsed-query.ts';
export { resolveFetchPlan } from './resolve/resolve-fetch-plan.ts';
