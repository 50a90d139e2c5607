import type { Model } from '@lintel/metadata';
import type { SourcePosition } from '../../ast/expression.ts';
import type { LiteralType } from '../../literals/literal-type.ts';
import { QuerySyntaxError } from '../../parse/language/query-syntax-error.ts';
import type { Variable } from './bound-expression.ts';

/** A parameter that a query declares. */
export interface DeclaredParameter {
  readonly name: string;
  /** Position among the declared ones. */
  readonly index: number;
  readonly type: LiteralType;
  /** Its value is a collection. */
  readonly isList: boolean;
  /** It takes the type of the other operand. */
  readonly isOpen?: boolean;
}

/** The variables that are visible in a query, and those of the queries around it. */
export interface Scope {
  readonly variables: Map<string, Variable>;
  readonly outer: Scope | undefined;
}

/** The scope in which names are resolved. */
export interface LanguageContext {
  readonly model: Model;
  readonly scope: Scope;
  /** The instance that a policy is about; absent in queries. */
  readonly self: Variable | undefined;
  /** The query's parameters; absent in policies, whose parameters are all filled in by the server. */
  readonly parameters: ReadonlyMap<string, DeclaredParameter> | undefined;
  /** Names of the declared parameters that were found. */
  readonly used: Set<string>;
  /** The reason why no aggregate is permitted here; absent if one is. */
  readonly noAggregates: string | undefined;
}

/** The error of a name, type or form that does not fit, with its position. */
export const languageError = (reason: string, { line, column }: SourcePosition): QuerySyntaxError =>
  new QuerySyntaxError(reason, line, column);

/** The variable of that name, from the inside out. */
export function findVariable(scope: Scope | undefined, name: string): Variable | undefined {
  return scope === undefined ? undefined : (scope.variables.get(name) ?? findVariable(scope.outer, name));
}

/** Names of all variables that can be named here. */
export const visibleVariables = (scope: Scope | undefined): readonly string[] =>
  scope === undefined ? [] : [...scope.variables.keys(), ...visibleVariables(scope.outer)];
