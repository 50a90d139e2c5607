import { EmbeddedActionsParser, type IOrAlt, type IToken, type TokenType } from 'chevrotain';
import type { AggregateName, ArithmeticOperator, Expression, PathExpression, TrimSide } from '../../ast/expression.ts';
import type { SelectQuery } from '../../ast/select-query.ts';
import { literalOf } from './literal-of.ts';
import { expandMacro } from './macros.ts';
import { MESSAGES } from './messages.ts';
import { asTest, asValue, type Node, negative, relation, SELF_NAME, valueNode } from './node.ts';
import { positionOf, syntaxError } from './position-of.ts';
import * as T from './tokens.ts';

export type Rule<R> = (this: unknown, at?: number) => R;

/** Deeper nesting, and longer chains of operators, would exhaust the stack. */
const GREATEST_DEPTH = 200;

const AGGREGATES: readonly TokenType[] = [T.Count, T.Sum, T.Avg, T.Min, T.Max];
const NOW = new Map<TokenType, 'date' | 'time' | 'timestamp'>([
  [T.CurrentDate, 'date'],
  [T.CurrentTime, 'time'],
  [T.CurrentTimestamp, 'timestamp'],
]);

/** The rules of values; parentheses and CASE may contain a condition. */
export abstract class ValueParser extends EmbeddedActionsParser {
  /** The name that a policy's paths begin with besides `{E}`. Set for each text. */
  alias: string | undefined;
  /** Whether there is an instance `{E}`. Set for each text. */
  hasSelf = false;
  /** Set to 0 for each text. */
  depth = 0;

  /** @param skipValidations of the grammar: it does not change, and a test validates it */
  constructor(skipValidations = true) {
    super(T.TOKENS, { recoveryEnabled: false, maxLookahead: 2, errorMessageProvider: MESSAGES, skipValidations });
  }

  abstract readonly select: Rule<SelectQuery>;

  /** A value or a condition. */
  abstract readonly disjunction: Rule<Node>;
  abstract readonly subquery: Rule<Node>;
  abstract readonly exists: Rule<Node>;

  readonly sum: Rule<Node> = this.RULE('sum', (): Node => {
    let left = this.SUBRULE(this.product);
    let length = 0;
    this.MANY(() => {
      length = this.lengthen(length);
      const token = this.OR([
        { ALT: () => this.CONSUME(T.Plus) },
        { ALT: () => this.CONSUME(T.Minus) },
        { ALT: () => this.CONSUME(T.Concat) },
      ]);
      const right = this.SUBRULE1(this.product);
      const before = left;
      left = this.ACTION(() => arithmetic(before, token, right));
    });
    return left;
  });

  private readonly product: Rule<Node> = this.RULE('product', (): Node => {
    let left = this.SUBRULE(this.signed);
    let length = 0;
    this.MANY(() => {
      length = this.lengthen(length);
      const token = this.OR([{ ALT: () => this.CONSUME(T.Star) }, { ALT: () => this.CONSUME(T.Slash) }]);
      const right = this.SUBRULE1(this.signed);
      const before = left;
      left = this.ACTION(() => arithmetic(before, token, right));
    });
    return left;
  });

  private readonly signed: Rule<Node> = this.RULE('signed', (): Node => {
    this.enter();
    const node = this.OR<readonly IOrAlt<Node>[]>([
      {
        ALT: () => {
          const token = this.CONSUME(T.Minus);
          const operand = this.SUBRULE(this.signed);
          return this.ACTION(() => valueNode(negative(asValue(operand), positionOf(token))));
        },
      },
      {
        ALT: () => {
          this.CONSUME(T.Plus);
          const operand = this.SUBRULE1(this.signed);
          return this.ACTION(() => valueNode(asValue(operand)));
        },
      },
      { ALT: () => this.SUBRULE(this.primary) },
    ]);
    this.leave();
    return node;
  });

  private readonly primary: Rule<Node> = this.RULE('primary', (): Node => {
    return this.OR<readonly IOrAlt<Node>[]>([
      {
        ALT: () => {
          this.CONSUME(T.Open);
          const node = this.OR1<readonly IOrAlt<Node>[]>([
            { ALT: () => this.SUBRULE(this.subquery) },
            { ALT: () => this.SUBRULE(this.disjunction) },
          ]);
          this.CONSUME(T.Close);
          return node;
        },
      },
      { ALT: () => valueNode(this.SUBRULE(this.literal)) },
      { ALT: () => valueNode(parameterOf(this.CONSUME(T.Parameter))) },
      { ALT: () => this.SUBRULE(this.caseOf) },
      { ALT: () => this.SUBRULE(this.exists) },
      { ALT: () => this.SUBRULE(this.macro) },
      { ALT: () => valueNode(this.SUBRULE(this.aggregate)) },
      { ALT: () => valueNode(this.SUBRULE(this.trim)) },
      { ALT: () => valueNode(this.SUBRULE(this.extract)) },
      { ALT: () => valueNode(this.SUBRULE(this.treat)) },
      { ALT: () => valueNode(this.SUBRULE(this.typeOf)) },
      { ALT: () => valueNode(this.SUBRULE(this.call)) },
      { ALT: () => valueNode(this.SUBRULE(this.path)) },
    ]);
  });

  private readonly literal: Rule<Expression> = this.RULE('literal', (): Expression => {
    const token = this.OR(
      [T.Text, T.Numeral, T.True, T.False, T.Null, T.Temporal, T.CurrentDate, T.CurrentTime, T.CurrentTimestamp].map(
        (type) => ({ ALT: () => this.CONSUME(type) }),
      ),
    );
    return this.ACTION((): Expression => {
      const of = NOW.get(token.tokenType);
      return of === undefined ? literalOf(token) : { kind: 'now', of, position: positionOf(token) };
    });
  });

  private readonly call: Rule<Expression> = this.RULE('call', (): Expression => {
    const token = this.CONSUME(T.Identifier);
    this.CONSUME(T.Open);
    const args: Node[] = [];
    this.MANY_SEP({ SEP: T.Comma, DEF: () => args.push(this.SUBRULE(this.sum)) });
    this.CONSUME(T.Close);
    return this.ACTION(
      (): Expression => ({
        kind: 'call',
        name: token.image.toLowerCase(),
        args: args.map(asValue),
        position: positionOf(token),
      }),
    );
  });

  private readonly macro: Rule<Node> = this.RULE('macro', (): Node => {
    const token = this.CONSUME(T.Macro);
    this.CONSUME(T.Open);
    const args: Node[] = [];
    this.MANY_SEP({ SEP: T.Comma, DEF: () => args.push(this.SUBRULE(this.sum)) });
    this.CONSUME(T.Close);
    return this.ACTION(() => expandMacro(token, args.map(asValue)));
  });

  private readonly aggregate: Rule<Expression> = this.RULE('aggregate', (): Expression => {
    const token = this.OR(AGGREGATES.map((type) => ({ ALT: () => this.CONSUME(type) })));
    this.CONSUME(T.Open);
    const distinct = this.OPTION(() => this.CONSUME(T.Distinct)) !== undefined;
    const argument = this.OR1<readonly IOrAlt<Node | undefined>[]>([
      {
        ALT: () => {
          this.CONSUME(T.Star);
          return undefined;
        },
      },
      { ALT: () => this.SUBRULE(this.sum) },
    ]);
    const close = this.CONSUME(T.Close);
    return this.ACTION((): Expression => {
      const name = token.image.toLowerCase() as AggregateName;
      if (argument === undefined && (name !== 'count' || distinct))
        throw syntaxError('Expected a value: * stands alone and for count only', close);
      const value = argument === undefined ? undefined : asValue(argument);
      return { kind: 'aggregate', name, distinct, argument: value, position: positionOf(token) };
    });
  });

  private readonly trim: Rule<Expression> = this.RULE('trim', (): Expression => {
    const token = this.CONSUME(T.Trim);
    this.CONSUME(T.Open);
    const side = this.OPTION(() =>
      this.OR([
        { ALT: () => this.CONSUME(T.Both) },
        { ALT: () => this.CONSUME(T.Leading) },
        { ALT: () => this.CONSUME(T.Trailing) },
      ]),
    );
    const first = this.OPTION1(() => this.SUBRULE(this.sum));
    const text = this.OPTION2(() => {
      this.CONSUME(T.From);
      return this.SUBRULE1(this.sum);
    });
    const close = this.CONSUME(T.Close);
    return this.ACTION((): Expression => {
      const trimmed = text ?? first;
      if (trimmed === undefined || (side !== undefined && text === undefined))
        throw syntaxError(`Expected ${side === undefined ? 'a text' : 'FROM'}, but found )`, close);
      return {
        kind: 'trim',
        side: (side?.image.toLowerCase() ?? 'both') as TrimSide,
        characters: text === undefined || first === undefined ? undefined : asValue(first),
        text: asValue(trimmed),
        position: positionOf(token),
      };
    });
  });

  private readonly extract: Rule<Expression> = this.RULE('extract', (): Expression => {
    const token = this.CONSUME(T.Extract);
    this.CONSUME(T.Open);
    const field = this.CONSUME(T.Identifier);
    this.CONSUME(T.From);
    const value = this.SUBRULE(this.sum);
    this.CONSUME(T.Close);
    return this.ACTION(
      (): Expression => ({
        kind: 'call',
        name: field.image.toLowerCase(),
        args: [asValue(value)],
        position: positionOf(token),
      }),
    );
  });

  private readonly treat: Rule<Expression> = this.RULE('treat', (): Expression => {
    const token = this.CONSUME(T.Treat);
    this.CONSUME(T.Open);
    const path = this.SUBRULE(this.path);
    this.CONSUME(T.As);
    const entity = this.CONSUME(T.Identifier);
    this.CONSUME(T.Close);
    const names: string[] = [];
    this.MANY(() => {
      this.CONSUME(T.Dot);
      names.push(this.CONSUME(T.AnyName).image);
    });
    return this.ACTION(
      (): Expression => ({ kind: 'treat', path, entity: entity.image, names, position: positionOf(token) }),
    );
  });

  private readonly typeOf: Rule<Expression> = this.RULE('typeOf', (): Expression => {
    const token = this.CONSUME(T.TypeOf);
    this.CONSUME(T.Open);
    const operand = this.SUBRULE(this.path);
    this.CONSUME(T.Close);
    return this.ACTION((): Expression => ({ kind: 'type', operand, position: positionOf(token) }));
  });

  private readonly caseOf: Rule<Node> = this.RULE('caseOf', (): Node => {
    const token = this.CONSUME(T.Case);
    const operand = this.OPTION(() => this.SUBRULE(this.sum));
    const branches: { readonly when: Node; readonly value: Node }[] = [];
    this.AT_LEAST_ONE(() => {
      this.CONSUME(T.When);
      const when = this.SUBRULE(this.disjunction);
      this.CONSUME(T.Then);
      branches.push({ when, value: this.SUBRULE1(this.sum) });
    });
    const otherwise = this.OPTION1(() => {
      this.CONSUME(T.Else);
      return this.SUBRULE2(this.sum);
    });
    this.CONSUME(T.End);
    return this.ACTION(() =>
      valueNode({
        kind: 'case',
        branches: branches.map(({ when, value }) => ({
          when: operand === undefined ? asTest(when) : relation(asValue(operand), '=', asValue(when)),
          value: asValue(value),
        })),
        otherwise: otherwise === undefined ? undefined : asValue(otherwise),
        position: positionOf(token),
      }),
    );
  });

  readonly path: Rule<PathExpression> = this.RULE('path', (): PathExpression => {
    const token = this.OR([{ ALT: () => this.CONSUME(T.Placeholder) }, { ALT: () => this.CONSUME(T.Identifier) }]);
    const names: string[] = [];
    this.MANY(() => {
      this.CONSUME(T.Dot);
      names.push(this.CONSUME(T.AnyName).image);
    });
    return this.ACTION((): PathExpression => {
      if (token.image === SELF_NAME && !this.hasSelf)
        throw syntaxError(`Unknown variable ${SELF_NAME}: only a policy has it`, token);
      const root = token.image === this.alias ? SELF_NAME : token.image;
      return { kind: 'path', names: [root, ...names], position: positionOf(token) };
    });
  });

  protected enter(): void {
    this.ACTION(() => {
      this.depth = this.lengthen(this.depth);
    });
  }

  protected leave(): void {
    this.depth -= 1;
  }

  private lengthen(length: number): number {
    if (length >= GREATEST_DEPTH && !this.RECORDING_PHASE)
      throw syntaxError(`The text is nested deeper than ${GREATEST_DEPTH} levels`, this.LA(1), this.LA(0));
    return length + 1;
  }
}

/** The parameter of a token. */
export const parameterOf = (token: IToken): Expression => ({
  kind: 'parameter',
  name: token.image.slice(1),
  position: positionOf(token),
});

function arithmetic(left: Node, token: IToken, right: Node): Node {
  const operator = token.image as ArithmeticOperator;
  return valueNode({
    kind: 'arithmetic',
    operator,
    left: asValue(left),
    right: asValue(right),
    position: positionOf(token),
  });
}
