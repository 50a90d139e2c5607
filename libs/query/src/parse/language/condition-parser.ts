import { EmbeddedActionsParser, type IOrAlt, type IToken } from 'chevrotain';
import type { ComparisonOperator, Condition, Value } from '../../ast/condition.ts';
import { ExactNumber } from '../../json/exact-json.ts';
import { MESSAGES } from './messages.ts';
import { QuerySyntaxError } from './query-syntax-error.ts';
import {
  And,
  Close,
  Comma,
  Comparison,
  Dot,
  False,
  Identifier,
  In,
  Is,
  Not,
  Null,
  Numeral,
  Open,
  Or,
  Parameter,
  Placeholder,
  Text,
  TOKENS,
  True,
} from './tokens.ts';

/** One side of a comparison. */
type Operand =
  | { readonly kind: 'path'; readonly path: string; readonly token: IToken }
  | { readonly kind: 'value'; readonly value: Value; readonly token: IToken };

type Rule<T> = (this: unknown, at?: number) => T;

const MIRRORED: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  '=': '=',
  '<>': '<>',
  '>': '<',
  '>=': '<=',
  '<': '>',
  '<=': '>=',
};

const syntaxError = (reason: string, token: IToken): QuerySyntaxError =>
  new QuerySyntaxError(reason, token.startLine ?? 1, token.startColumn ?? 1);

const group = (kind: 'and' | 'or', conditions: readonly Condition[]): Condition =>
  conditions.length === 1 && conditions[0] !== undefined ? conditions[0] : { kind, conditions };

/**
 * Grammar of conditions:
 *
 * ```
 * or        := and (OR and)*
 * and       := not (AND not)*
 * not       := NOT not | '(' or ')' | test
 * test      := operand ( comparison operand | [NOT] IN list | IS [NOT] NULL )
 * list      := '(' value (',' value)* ')' | parameter
 * operand   := path | value
 * path      := ( '{E}' | alias ) ( '.' identifier )+
 * value     := text | number | TRUE | FALSE | parameter
 * ```
 */
export class ConditionParser extends EmbeddedActionsParser {
  /** The name that paths begin with, besides `{E}`. Set for each text. */
  alias = '{E}';

  constructor() {
    super(TOKENS, { recoveryEnabled: false, maxLookahead: 2, errorMessageProvider: MESSAGES });
    this.performSelfAnalysis();
  }

  readonly condition: Rule<Condition> = this.RULE('condition', (): Condition => {
    const parts = [this.SUBRULE(this.conjunction)];
    this.MANY(() => {
      this.CONSUME(Or);
      parts.push(this.SUBRULE1(this.conjunction));
    });
    return group('or', parts);
  });

  private readonly conjunction: Rule<Condition> = this.RULE('conjunction', (): Condition => {
    const parts = [this.SUBRULE(this.negation)];
    this.MANY(() => {
      this.CONSUME(And);
      parts.push(this.SUBRULE1(this.negation));
    });
    return group('and', parts);
  });

  private readonly negation: Rule<Condition> = this.RULE('negation', (): Condition => {
    return this.OR<readonly IOrAlt<Condition>[]>([
      {
        ALT: () => {
          this.CONSUME(Not);
          return { kind: 'not', condition: this.SUBRULE(this.negation) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(Open);
          const condition = this.SUBRULE(this.condition);
          this.CONSUME(Close);
          return condition;
        },
      },
      { ALT: () => this.SUBRULE(this.test) },
    ]);
  });

  private readonly test: Rule<Condition> = this.RULE('test', (): Condition => {
    const left = this.SUBRULE(this.operand);
    return this.OR<readonly IOrAlt<Condition>[]>([
      {
        ALT: () => {
          const operator = this.CONSUME(Comparison).image as ComparisonOperator;
          const right = this.SUBRULE1(this.operand);
          return this.ACTION(() => comparison(left, operator, right));
        },
      },
      {
        ALT: () => {
          const negated = this.OPTION(() => this.CONSUME(Not)) !== undefined;
          this.CONSUME(In);
          const values = this.SUBRULE(this.list);
          return this.ACTION((): Condition => ({ kind: 'in', path: pathOf(left), negated, values }));
        },
      },
      {
        ALT: () => {
          this.CONSUME(Is);
          const negated = this.OPTION1(() => this.CONSUME1(Not)) !== undefined;
          this.CONSUME(Null);
          return this.ACTION((): Condition => ({ kind: 'null', path: pathOf(left), negated }));
        },
      },
    ]);
  });

  private readonly list: Rule<readonly Value[]> = this.RULE('list', (): readonly Value[] => {
    const values: Value[] = [];
    this.OR([
      {
        ALT: () => {
          this.CONSUME(Open);
          this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => values.push(this.SUBRULE(this.value).value) });
          this.CONSUME(Close);
        },
      },
      { ALT: () => values.push({ kind: 'parameter', name: this.CONSUME(Parameter).image.slice(1) }) },
    ]);
    return values;
  });

  private readonly operand: Rule<Operand> = this.RULE('operand', (): Operand => {
    return this.OR<readonly IOrAlt<Operand>[]>([
      { ALT: () => this.SUBRULE(this.path) },
      {
        ALT: () => {
          const { value, token } = this.SUBRULE(this.value);
          return { kind: 'value', value, token };
        },
      },
    ]);
  });

  private readonly path: Rule<Operand> = this.RULE('path', (): Operand => {
    const token = this.OR([{ ALT: () => this.CONSUME(Placeholder) }, { ALT: () => this.CONSUME(Identifier) }]);
    const names: string[] = [];
    this.AT_LEAST_ONE(() => {
      this.CONSUME(Dot);
      names.push(this.CONSUME1(Identifier).image);
    });
    return this.ACTION((): Operand => {
      if (token.image !== '{E}' && token.image !== this.alias)
        throw syntaxError(`Unknown alias ${token.image}: paths begin with ${this.alias}`, token);
      return { kind: 'path', path: names.join('.'), token };
    });
  });

  private readonly value: Rule<{ readonly value: Value; readonly token: IToken }> = this.RULE('value', () => {
    const token = this.OR([
      { ALT: () => this.CONSUME(Text) },
      { ALT: () => this.CONSUME(Numeral) },
      { ALT: () => this.CONSUME(True) },
      { ALT: () => this.CONSUME(False) },
      { ALT: () => this.CONSUME(Parameter) },
    ]);
    return this.ACTION(() => ({ value: valueOfToken(token), token }));
  });
}

function valueOfToken(token: IToken): Value {
  switch (token.tokenType) {
    case Parameter:
      return { kind: 'parameter', name: token.image.slice(1) };
    case Text:
      return { kind: 'literal', value: token.image.slice(1, -1).replaceAll("''", "'") };
    case Numeral:
      return { kind: 'literal', value: new ExactNumber(token.image) };
    default:
      return { kind: 'literal', value: token.tokenType === True };
  }
}

function pathOf(operand: Operand): string {
  if (operand.kind === 'path') return operand.path;
  throw syntaxError('An attribute path is needed on the left', operand.token);
}

function comparison(left: Operand, operator: ComparisonOperator, right: Operand): Condition {
  if (left.kind === 'path' && right.kind === 'path')
    throw syntaxError('An attribute cannot be compared with another attribute', right.token);
  if (left.kind === 'path' && right.kind === 'value')
    return { kind: 'comparison', path: left.path, operator, value: right.value };
  if (left.kind === 'value' && right.kind === 'path')
    return { kind: 'comparison', path: right.path, operator: MIRRORED[operator], value: left.value };
  throw syntaxError('An attribute path is needed on one side', left.token);
}
