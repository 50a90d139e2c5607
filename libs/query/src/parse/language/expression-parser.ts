import { EmbeddedActionsParser, type IOrAlt, type IToken, type TokenType } from 'chevrotain';
import type { ComparisonOperator, Condition } from '../../ast/condition.ts';
import type { AggregateName, ArithmeticOperator, Expression, PathExpression, TrimSide } from '../../ast/expression.ts';
import type { SelectQuery } from '../../ast/select-query.ts';
import { literalOf } from './literal-of.ts';
import { expandMacro } from './macros.ts';
import { MESSAGES } from './messages.ts';
import {
  absent,
  among,
  asTest,
  asValue,
  between,
  groupNode,
  type Node,
  negative,
  nodePlace,
  relation,
  SELF_NAME,
  testNode,
  valueNode,
} from './node.ts';
import { placeOf, syntaxError, syntaxErrorAt } from './place-of.ts';
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

/** The rules of conditions and expressions; the grammar is in `docs/guide/queries.md`. */
export abstract class ExpressionParser extends EmbeddedActionsParser {
  /** The name that a policy's paths begin with besides `{E}`. Set for each text. */
  alias: string | undefined;
  /** Whether there is an instance `{E}`. Set for each text. */
  hasSelf = false;
  /** Set to 0 for each text. */
  depth = 0;

  constructor() {
    super(T.TOKENS, { recoveryEnabled: false, maxLookahead: 2, errorMessageProvider: MESSAGES });
  }

  abstract readonly select: Rule<SelectQuery>;

  readonly condition: Rule<Condition> = this.RULE('condition', (): Condition => {
    const node = this.SUBRULE(this.disjunction);
    return this.ACTION(() => asTest(node));
  });

  readonly disjunction: Rule<Node> = this.RULE('disjunction', (): Node => {
    this.enter();
    const parts = [this.SUBRULE(this.conjunction)];
    this.MANY(() => {
      this.CONSUME(T.Or);
      parts.push(this.SUBRULE1(this.conjunction));
    });
    this.leave();
    return this.ACTION(() => groupNode('or', parts));
  });

  private readonly conjunction: Rule<Node> = this.RULE('conjunction', (): Node => {
    const parts = [this.SUBRULE(this.negation)];
    this.MANY(() => {
      this.CONSUME(T.And);
      parts.push(this.SUBRULE1(this.negation));
    });
    return this.ACTION(() => groupNode('and', parts));
  });

  private readonly negation: Rule<Node> = this.RULE('negation', (): Node => {
    this.enter();
    const node = this.OR<readonly IOrAlt<Node>[]>([
      {
        ALT: () => {
          const token = this.CONSUME(T.Not);
          const negated = this.SUBRULE(this.negation);
          return this.ACTION(() => testNode({ kind: 'not', condition: asTest(negated) }, placeOf(token)));
        },
      },
      { ALT: () => this.SUBRULE(this.comparison) },
    ]);
    this.leave();
    return node;
  });

  private readonly comparison: Rule<Node> = this.RULE('comparison', (): Node => {
    const left = this.SUBRULE(this.sum);
    let node = left;
    this.OPTION(() => {
      const test = this.SUBRULE(this.test, { ARGS: [left] }) as Condition;
      node = this.ACTION(() => testNode(test, nodePlace(left)));
    });
    return node;
  });

  /** What follows the left side of a test. */
  private readonly test = this.RULE('test', (left: Node): Condition => {
    return this.OR<readonly IOrAlt<Condition>[]>([
      {
        ALT: () => {
          const token = this.CONSUME(T.Comparison);
          const quantifier = this.OPTION(() =>
            this.OR1([
              { ALT: () => this.CONSUME(T.All) },
              { ALT: () => this.CONSUME(T.Any) },
              { ALT: () => this.CONSUME(T.Some) },
            ]),
          );
          const right = this.SUBRULE(this.sum);
          return this.ACTION(() => this.relationOf(left, token, quantifier, right));
        },
      },
      {
        ALT: () => {
          const negated = this.OPTION1(() => this.CONSUME(T.Not)) !== undefined;
          return this.SUBRULE(this.belonging, { ARGS: [left, negated] }) as Condition;
        },
      },
      {
        ALT: () => {
          this.CONSUME(T.Is);
          const negated = this.OPTION2(() => this.CONSUME1(T.Not)) !== undefined;
          const isEmpty = this.OR2([
            { ALT: () => this.CONSUME(T.Null) && false },
            { ALT: () => this.CONSUME(T.Empty) && true },
          ]);
          return this.ACTION((): Condition => {
            const value = asValue(left);
            if (!isEmpty) return absent(value, negated);
            return { kind: 'empty', collection: pathOf(value), negated, place: value.place };
          });
        },
      },
    ]);
  });

  /** `between`, `like`, `in`, `member of`: tests that `not` may come before. */
  private readonly belonging = this.RULE('belonging', (left: Node, negated: boolean): Condition => {
    return this.OR<readonly IOrAlt<Condition>[]>([
      {
        ALT: () => {
          this.CONSUME(T.Between);
          const low = this.SUBRULE(this.sum);
          this.CONSUME(T.And);
          const high = this.SUBRULE1(this.sum);
          return this.ACTION(() => between(asValue(left), asValue(low), asValue(high), negated));
        },
      },
      {
        ALT: () => {
          this.CONSUME(T.Like);
          const pattern = this.SUBRULE2(this.sum);
          const escaping = this.OPTION(() => {
            this.CONSUME(T.Escape);
            return this.SUBRULE3(this.sum);
          });
          return this.ACTION((): Condition => {
            const text = asValue(left);
            const escaped = escaping === undefined ? undefined : asValue(escaping);
            return { kind: 'like', text, pattern: asValue(pattern), escape: escaped, negated, place: text.place };
          });
        },
      },
      {
        ALT: () => {
          this.CONSUME(T.In);
          const items = this.SUBRULE(this.list);
          return this.ACTION(() => among(asValue(left), items, negated));
        },
      },
      {
        ALT: () => {
          this.CONSUME(T.Member);
          this.OPTION1(() => this.CONSUME(T.Of));
          const collection = this.SUBRULE(this.path);
          return this.ACTION((): Condition => {
            const value = asValue(left);
            return { kind: 'member', value, collection, negated, place: value.place };
          });
        },
      },
    ]);
  });

  private readonly list: Rule<readonly Expression[]> = this.RULE('list', (): readonly Expression[] => {
    const items: Node[] = [];
    this.OR([
      {
        ALT: () => {
          this.CONSUME(T.Open);
          this.OR1([
            { ALT: () => items.push(this.SUBRULE(this.subquery)) },
            { ALT: () => this.AT_LEAST_ONE_SEP({ SEP: T.Comma, DEF: () => items.push(this.SUBRULE(this.sum)) }) },
          ]);
          this.CONSUME(T.Close);
        },
      },
      { ALT: () => items.push(valueNode(parameterOf(this.CONSUME(T.Parameter)))) },
    ]);
    return this.ACTION(() => items.map(asValue));
  });

  private readonly subquery: Rule<Node> = this.RULE('subquery', (): Node => {
    const place = this.ACTION(() => placeOf(this.LA(1)));
    const select = this.SUBRULE(this.select);
    return valueNode({ kind: 'subquery', select, place });
  });

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
          return this.ACTION(() => valueNode(negative(asValue(operand), placeOf(token))));
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
      return of === undefined ? literalOf(token) : { kind: 'now', of, place: placeOf(token) };
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
        place: placeOf(token),
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
      return { kind: 'aggregate', name, distinct, argument: value, place: placeOf(token) };
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
        place: placeOf(token),
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
        place: placeOf(token),
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
    return this.ACTION((): Expression => ({ kind: 'treat', path, entity: entity.image, names, place: placeOf(token) }));
  });

  private readonly typeOf: Rule<Expression> = this.RULE('typeOf', (): Expression => {
    const token = this.CONSUME(T.TypeOf);
    this.CONSUME(T.Open);
    const operand = this.SUBRULE(this.path);
    this.CONSUME(T.Close);
    return this.ACTION((): Expression => ({ kind: 'type', operand, place: placeOf(token) }));
  });

  private readonly exists: Rule<Node> = this.RULE('exists', (): Node => {
    const token = this.CONSUME(T.Exists);
    this.CONSUME(T.Open);
    const select = this.SUBRULE(this.select);
    this.CONSUME(T.Close);
    return this.ACTION(() => testNode({ kind: 'exists', select, place: placeOf(token) }, placeOf(token)));
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
        place: placeOf(token),
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
      return { kind: 'path', names: [root, ...names], place: placeOf(token) };
    });
  });

  private relationOf(left: Node, token: IToken, quantifier: IToken | undefined, right: Node): Condition {
    const operator = (token.image === '!=' ? '<>' : token.image) as ComparisonOperator;
    if (quantifier === undefined) return relation(asValue(left), operator, asValue(right));
    const values = asValue(right);
    if (values.kind !== 'subquery') throw syntaxError('Expected a subquery', quantifier);
    const kind = quantifier.tokenType === T.All ? 'all' : 'any';
    return { kind: 'relation', left: asValue(left), operator, right: values, quantifier: kind, place: nodePlace(left) };
  }

  private enter(): void {
    this.ACTION(() => {
      this.depth = this.lengthen(this.depth);
    });
  }

  private leave(): void {
    this.depth -= 1;
  }

  private lengthen(length: number): number {
    if (length >= GREATEST_DEPTH && !this.RECORDING_PHASE)
      throw syntaxError(`The text is nested deeper than ${GREATEST_DEPTH} levels`, this.LA(1), this.LA(0));
    return length + 1;
  }
}

const parameterOf = (token: IToken): Expression => ({
  kind: 'parameter',
  name: token.image.slice(1),
  place: placeOf(token),
});

function arithmetic(left: Node, token: IToken, right: Node): Node {
  const operator = token.image as ArithmeticOperator;
  return valueNode({
    kind: 'arithmetic',
    operator,
    left: asValue(left),
    right: asValue(right),
    place: placeOf(token),
  });
}

function pathOf(value: Expression): PathExpression {
  if (value.kind === 'path') return value;
  throw syntaxErrorAt('Expected the path of a collection', value.place);
}
