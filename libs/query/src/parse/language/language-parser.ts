import type { IOrAlt, IToken } from 'chevrotain';
import type { Condition } from '../../ast/condition.ts';
import type { Expression, PathExpression } from '../../ast/expression.ts';
import type { OrderItem, Range, RangeJoin, SelectItem, SelectQuery } from '../../ast/select-query.ts';
import { ConditionParser } from './condition-parser.ts';
import { asValue, type Node } from './node.ts';
import { positionOf, syntaxError, syntaxErrorAt } from './position-of.ts';
import * as T from './tokens.ts';
import type { Rule } from './value-parser.ts';

/** The rules of `select`; with those of expressions the whole language. */
export class LanguageParser extends ConditionParser {
  constructor(skipValidations?: boolean) {
    super(skipValidations);
    this.performSelfAnalysis();
  }

  readonly select: Rule<SelectQuery> = this.RULE('select', (): SelectQuery => {
    const token = this.CONSUME(T.Select);
    const distinct = this.OPTION(() => this.CONSUME(T.Distinct)) !== undefined;
    const items: SelectItem[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: T.Comma, DEF: () => items.push(this.SUBRULE(this.item)) });
    this.CONSUME(T.From);
    const ranges: Range[] = [];
    this.AT_LEAST_ONE_SEP1({ SEP: T.Comma, DEF: () => ranges.push(this.SUBRULE(this.range)) });
    const where = this.OPTION1(() => {
      this.CONSUME(T.Where);
      return this.SUBRULE(this.condition);
    });
    const groupBy = this.OPTION2(() => this.SUBRULE(this.grouping));
    const having = this.OPTION3(() => {
      this.CONSUME(T.Having);
      return this.SUBRULE1(this.condition);
    });
    const orderBy = this.OPTION4(() => this.SUBRULE(this.ordering));
    return this.ACTION(
      (): SelectQuery => ({
        distinct,
        items,
        ranges,
        where,
        groupBy: groupBy ?? [],
        having,
        orderBy: orderBy ?? [],
        position: positionOf(token),
      }),
    );
  });

  private readonly item: Rule<SelectItem> = this.RULE('item', (): SelectItem => {
    const node = this.SUBRULE(this.sum);
    const alias = this.OPTION(() =>
      this.OR([
        {
          ALT: () => {
            this.CONSUME(T.As);
            return this.CONSUME(T.AnyName);
          },
        },
        { ALT: () => this.CONSUME(T.Identifier) },
      ]),
    );
    return this.ACTION((): SelectItem => ({ expression: asValue(node), alias: alias?.image }));
  });

  private readonly range: Rule<Range> = this.RULE('range', (): Range => {
    const source = this.OR<readonly IOrAlt<PathExpression>[]>([
      {
        ALT: () => {
          this.CONSUME(T.In);
          this.CONSUME(T.Open);
          const path = this.SUBRULE(this.path);
          this.CONSUME(T.Close);
          return path;
        },
      },
      { ALT: () => this.SUBRULE1(this.path) },
    ]);
    this.OPTION(() => this.CONSUME(T.As));
    const variable = this.CONSUME(T.Identifier);
    const joins: RangeJoin[] = [];
    this.MANY(() => {
      const join = this.SUBRULE(this.join);
      this.ACTION(() => {
        if (join !== undefined) joins.push(join);
      });
    });
    return this.ACTION((): Range => ({ source, variable: variable.image, joins, position: positionOf(variable) }));
  });

  /** The joins of a policy. */
  readonly joins: Rule<readonly RangeJoin[]> = this.RULE('joins', (): readonly RangeJoin[] => {
    const joins: RangeJoin[] = [];
    this.AT_LEAST_ONE(() => {
      const join = this.SUBRULE(this.join);
      this.ACTION(() => {
        if (join !== undefined) joins.push(join);
      });
    });
    return joins;
  });

  /** A fetch join without a variable only selects what to load, which the fetch plan decides: it is left out. */
  private readonly join: Rule<RangeJoin | undefined> = this.RULE('join', (): RangeJoin | undefined => {
    const isLeft = this.OPTION(() =>
      this.OR<readonly IOrAlt<boolean>[]>([
        {
          ALT: () => {
            this.CONSUME(T.Left);
            this.OPTION1(() => this.CONSUME(T.Outer));
            return true;
          },
        },
        {
          ALT: () => {
            this.CONSUME(T.Inner);
            return false;
          },
        },
      ]),
    );
    const token = this.CONSUME(T.Join);
    const fetch = this.OPTION2(() => this.CONSUME(T.Fetch));
    const { source, treatedAs } = this.SUBRULE(this.joined);
    const variable = this.OPTION3(() => {
      this.OPTION4(() => this.CONSUME(T.As));
      return this.CONSUME(T.Identifier);
    });
    const on = this.OPTION5(() => {
      this.CONSUME(T.On);
      return this.SUBRULE(this.condition);
    });
    return this.ACTION(() => rangeJoin(isLeft === true, token, fetch, source, treatedAs, variable, on));
  });

  private readonly joined = this.RULE(
    'joined',
    (): { readonly source: PathExpression; readonly treatedAs: string | undefined } => {
      return this.OR<readonly IOrAlt<{ readonly source: PathExpression; readonly treatedAs: string | undefined }>[]>([
        {
          ALT: () => {
            this.CONSUME(T.Treat);
            this.CONSUME(T.Open);
            const source = this.SUBRULE(this.path);
            this.CONSUME(T.As);
            const treatedAs = this.CONSUME(T.Identifier).image;
            this.CONSUME(T.Close);
            return { source, treatedAs };
          },
        },
        { ALT: () => ({ source: this.SUBRULE1(this.path), treatedAs: undefined }) },
      ]);
    },
  );

  private readonly grouping: Rule<readonly Expression[]> = this.RULE('grouping', (): readonly Expression[] => {
    this.CONSUME(T.Group);
    this.CONSUME(T.By);
    const nodes: Node[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: T.Comma, DEF: () => nodes.push(this.SUBRULE(this.sum)) });
    return this.ACTION(() => nodes.map(asValue));
  });

  private readonly ordering: Rule<readonly OrderItem[]> = this.RULE('ordering', (): readonly OrderItem[] => {
    this.CONSUME(T.Order);
    this.CONSUME(T.By);
    const items: OrderItem[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: T.Comma, DEF: () => items.push(this.SUBRULE(this.orderItem)) });
    return items;
  });

  private readonly orderItem: Rule<OrderItem> = this.RULE('orderItem', (): OrderItem => {
    const node = this.SUBRULE(this.sum);
    const direction = this.OPTION(() =>
      this.OR([{ ALT: () => this.CONSUME(T.Asc) }, { ALT: () => this.CONSUME(T.Desc) }]),
    );
    const nulls = this.OPTION1(() => {
      this.CONSUME(T.Nulls);
      return this.OR1([{ ALT: () => this.CONSUME(T.First) }, { ALT: () => this.CONSUME(T.Last) }]);
    });
    return this.ACTION((): OrderItem => {
      const side = nulls === undefined ? undefined : nulls.tokenType === T.First ? 'first' : 'last';
      return { expression: asValue(node), descending: direction?.tokenType === T.Desc, nulls: side };
    });
  });
}

function rangeJoin(
  isLeft: boolean,
  token: IToken,
  fetch: IToken | undefined,
  source: PathExpression,
  treatedAs: string | undefined,
  variable: IToken | undefined,
  on: Condition | undefined,
): RangeJoin | undefined {
  if (variable === undefined) {
    if (fetch === undefined) throw syntaxErrorAt('Expected a variable for what is joined', source.position);
    if (on !== undefined) throw syntaxError('Expected a join without a condition: it is fetched only', token);
    return undefined;
  }
  return {
    kind: isLeft ? 'left' : 'inner',
    source,
    treatedAs,
    variable: variable.image,
    on,
    position: positionOf(variable),
  };
}
