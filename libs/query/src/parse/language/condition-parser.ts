import type { IOrAlt, IToken } from 'chevrotain';
import type { ComparisonOperator, Condition } from '../../ast/condition.ts';
import type { Expression, PathExpression } from '../../ast/expression.ts';
import {
  absent,
  among,
  asTest,
  asValue,
  between,
  groupNode,
  type Node,
  nodePosition,
  relation,
  testNode,
  valueNode,
} from './node.ts';
import { positionOf, syntaxError, syntaxErrorAt } from './position-of.ts';
import * as T from './tokens.ts';
import { parameterOf, type Rule, ValueParser } from './value-parser.ts';

/** The rules of conditions; the grammar is in `docs/guide/queries.md`. */
export abstract class ConditionParser extends ValueParser {
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
          return this.ACTION(() => testNode({ kind: 'not', condition: asTest(negated) }, positionOf(token)));
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
      node = this.ACTION(() => testNode(test, nodePosition(left)));
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
            return { kind: 'empty', collection: pathOf(value), negated, position: value.position };
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
            return { kind: 'like', text, pattern: asValue(pattern), escape: escaped, negated, position: text.position };
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
            return { kind: 'member', value, collection, negated, position: value.position };
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

  readonly subquery: Rule<Node> = this.RULE('subquery', (): Node => {
    const position = this.ACTION(() => positionOf(this.LA(1)));
    const select = this.SUBRULE(this.select);
    return valueNode({ kind: 'subquery', select, position });
  });

  readonly exists: Rule<Node> = this.RULE('exists', (): Node => {
    const token = this.CONSUME(T.Exists);
    this.CONSUME(T.Open);
    const select = this.SUBRULE(this.select);
    this.CONSUME(T.Close);
    return this.ACTION(() => testNode({ kind: 'exists', select, position: positionOf(token) }, positionOf(token)));
  });

  private relationOf(left: Node, token: IToken, quantifier: IToken | undefined, right: Node): Condition {
    const operator = (token.image === '!=' ? '<>' : token.image) as ComparisonOperator;
    if (quantifier === undefined) return relation(asValue(left), operator, asValue(right));
    const values = asValue(right);
    if (values.kind !== 'subquery') throw syntaxError('Expected a subquery', quantifier);
    const kind = quantifier.tokenType === T.All ? 'all' : 'any';
    return {
      kind: 'relation',
      left: asValue(left),
      operator,
      right: values,
      quantifier: kind,
      position: nodePosition(left),
    };
  }
}

function pathOf(value: Expression): PathExpression {
  if (value.kind === 'path') return value;
  throw syntaxErrorAt('Expected the path of a collection', value.position);
}
