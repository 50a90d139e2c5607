export type { EntityReadAccess, ReadAccess, RowPredicate } from './access.ts';
export type { Condition, OwnedBy, Value } from './ast/condition.ts';
export type { Expression } from './ast/expression.ts';
export type { SelectQuery } from './ast/select-query.ts';
export { bindStatement, type StatementValues } from './compile/bind-statement.ts';
export {
  type CsvForm,
  compileCsv,
  csvHeader,
  csvLineOf,
  type ReferenceForm,
  type TableColumn,
  type TableColumns,
  type TableForm,
  valuesOf,
} from './compile/compile-csv.ts';
export { compileEach } from './compile/compile-each.ts';
export {
  compileAny,
  compileCount,
  compileEnd,
  compileEstimate,
  compileRead,
  RANKED_MATCHES,
} from './compile/compile-read.ts';
export type { CompiledStatement, StatementTemplate } from './compile/compiled-statement.ts';
export { entityNameText, entityTestText } from './compile/discriminator-text.ts';
export { quoteConstant, type ResultBounds, type TableInSql } from './compile/statement-text.ts';
export {
  canonicalKey,
  formatEntityId,
  hasCompositeKey,
  idOf,
  isCompositeId,
  type Key,
  keyInSql,
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
export { readJsonWithin } from './json/exact-json-reader.ts';
export { MAX_JSON_DEPTH, parseJsonInSteps } from './json/parse-json-in-steps.ts';
export { assertLimit, limitExceeded, type QueryLimits, UNLIMITED } from './limits/query-limits.ts';
export { canonicalScalar, type Scalar } from './literals/canonical-scalar.ts';
export { arrayParameter, fromColumn, isDecimalType, toParameter } from './literals/column-value.ts';
export { compareDecimals, countDigits, decimalOf } from './literals/exact-decimal.ts';
export { jsonText, plainJson } from './literals/json-text.ts';
export { datatypeOf, keyTypeOf, type LiteralType, literalTypeOf, typeNameOf } from './literals/literal-type.ts';
export { parameterTypeNamed } from './literals/parameter-type.ts';
export { parseLiteral } from './literals/parse-literal.ts';
export { parseText, type SqlValue } from './literals/parse-text.ts';
export { storedTime, type TimeReading } from './literals/stored-time.ts';
export { temporalText } from './literals/temporal-text.ts';
export {
  type DataSetText,
  DataSetTextError,
  labelsOf,
  parseDataSetText,
  placeholdersOf,
  writeDataSetText,
} from './parse/data-sets/data-set-text.ts';
export { parseExpression, parsePolicyCondition, parseSelect } from './parse/language/parse-language.ts';
export { QuerySyntaxError } from './parse/language/query-syntax-error.ts';
export { AGGREGATE_MEMBERS, parseAggregates } from './parse/parse-aggregates.ts';
export { parseArguments } from './parse/parse-arguments.ts';
export { parseFetchPlan } from './parse/parse-fetch-plan.ts';
export { parseFilter, QUANTIFIERS } from './parse/parse-filter.ts';
export { parseSearch } from './parse/parse-parameters.ts';
export { parseQueryRead, parseSelectRead } from './parse/parse-query-read.ts';
export { type ParseOptions, parseRead } from './parse/parse-read.ts';
export { memberSelection } from './parse/parse-selections.ts';
export type {
  NoteUnknown,
  ParsedQuery,
  QueryArgument,
  QueryParameter,
  RawReadRequest,
  ReadOperation,
  UnknownMember,
} from './parse/parsed-query.ts';
export { checkCondition } from './plan/check-condition.ts';
export { checkSelect } from './plan/check-select.ts';
export { PARTIAL_MEMBER } from './plan/objects/plan-member-part.ts';
export { type Page, pageOf } from './plan/paging/page-of.ts';
export type { ParameterSource } from './plan/parameter.ts';
export { planCount, planRead } from './plan/plan-read.ts';
export type { CountPlan, RowPosition } from './plan/read-plan.ts';
export { serverParametersOf } from './plan/server-parameters-of.ts';
export { fileTestsOf } from './resolve/file-tests.ts';
export { argumentEntities } from './resolve/language/argument-entities.ts';
export { describeSelect, type SelectDescription, type SelectedValue } from './resolve/language/describe-select.ts';
export { entitiesOfSelect } from './resolve/language/walk-bound.ts';
export { describeAggregates } from './resolve/resolve-aggregates.ts';
export { assertChildren, depthOf, repeatChildren, resolveFetchPlan } from './resolve/resolve-fetch-plan.ts';
export { resolveMembers } from './resolve/resolve-members.ts';
export { resolveEntity, resolveRead } from './resolve/resolve-read.ts';
export { assertConditionReadable } from './secure/assert-condition-readable.ts';
export { isSelectVisible } from './secure/is-select-visible.ts';
export { assertReadable, secureRead } from './secure/secure-read.ts';
export type { SecuredNode, SecuredQuery } from './secure/secured-query.ts';
export { type Visibility, visibilityOf } from './secure/visibility.ts';
export { conditionPredicate } from './shape/predicate/condition-predicate.ts';
export { type EncryptToken, SECURITY_TOKEN, type TokenContent } from './shape/security-token.ts';
export { isFinal, shapeRow } from './shape/shape-row.ts';
