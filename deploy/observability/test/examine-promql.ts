import type { SyntaxNode } from '@lezer/common';
import { METRICS, type MetricName, type MetricRow, plainName, prometheusNameOf } from '@lintel/telemetry';
import { parser } from '@prometheus-io/lezer-promql';

/** What an expression of PromQL is found to be. */
export interface ExaminedPromql {
  /** What is wrong with it: syntax, series and labels that no process has, growth that is asked for as a state. */
  readonly problems: readonly string[];
  /** The series that it asks for. */
  readonly names: readonly string[];
  /** The labels that its result has; undefined for a number. */
  readonly labels: Labels;
}

type Labels = ReadonlySet<string> | undefined;

interface Series {
  readonly type: MetricRow['type'];
  readonly labels: ReadonlySet<string>;
}

/** What Prometheus adds to every series of a job. */
const TARGET = ['job', 'instance'];
const SUFFIXES = { counter: [''], gauge: [''], updown: [''], histogram: ['_bucket', '_sum', '_count'] } as const;

/** All series that a Prometheus has of the processes, by their names. */
const SERIES = new Map<string, Series>([['up', { type: 'gauge', labels: new Set(TARGET) }]]);
for (const [name, row] of Object.entries(METRICS) as [MetricName, MetricRow][])
  for (const suffix of SUFFIXES[row.type]) {
    const labels = [...TARGET, ...row.labels.map(plainName), ...(suffix === '_bucket' ? ['le'] : [])];
    SERIES.set(prometheusNameOf(name) + suffix, { type: row.type, labels: new Set(labels) });
  }

/** What only grows is looked at by its growth, and nothing else is. */
const GROWTH = new Set(['rate', 'increase']);

/** Parses an expression by the grammar of Prometheus, and compares it with the metrics of the reference. */
export function examinePromql(text: string): ExaminedPromql {
  const problems: string[] = [];
  const names: string[] = [];
  const textOf = (node: SyntaxNode): string => text.slice(node.from, node.to);
  const groupingOf = (node: SyntaxNode | null): readonly string[] => node?.getChildren('LabelName').map(textOf) ?? [];

  function requireLabels(wanted: readonly string[], given: Labels, by: string): void {
    for (const label of wanted)
      if (given?.has(label) !== true) problems.push(`${by} asks for the label ${label}, which is not there`);
  }

  function selector(node: SyntaxNode, within: string | undefined): Labels {
    const name = textOf(node.getChild('Identifier') ?? node);
    names.push(name);
    const series = SERIES.get(name);
    if (series === undefined) {
      problems.push(`no process has ${name}`);
      return new Set();
    }
    const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
    const matched = matchers.map((matcher) => textOf(matcher.getChild('LabelName') ?? matcher));
    requireLabels(matched, series.labels, name);
    if (GROWTH.has(within ?? '') !== ['counter', 'histogram'].includes(series.type))
      problems.push(`${name} is a ${series.type}, within ${within ?? 'no function'}`);
    return series.labels;
  }

  function aggregate(node: SyntaxNode): Labels {
    const given = labelsOf(lastArgument(node));
    const operation = textOf(node.getChild('AggregateOp') ?? node);
    const modifier = node.getChild('AggregateModifier');
    if (modifier === null) return ['topk', 'bottomk'].includes(operation) ? given : new Set();
    const kept = groupingOf(modifier.getChild('GroupingLabels'));
    requireLabels(kept, given, operation);
    return modifier.getChild('Without') === null
      ? new Set(kept)
      : new Set([...(given ?? [])].filter((label) => !kept.includes(label)));
  }

  function call(node: SyntaxNode): Labels {
    const name = textOf(node.getChild('FunctionIdentifier') ?? node);
    const given = labelsOf(lastArgument(node), name);
    if (name !== 'histogram_quantile') return given;
    requireLabels(['le'], given, name);
    return new Set([...(given ?? [])].filter((label) => label !== 'le'));
  }

  function binary(node: SyntaxNode): Labels {
    const [left, right] = node.getChildren('Expr').map((side) => labelsOf(side));
    if (left === undefined || right === undefined) return left ?? right;
    const on = groupingOf(node.getChild('MatchingModifierClause')?.getChild('GroupingLabels') ?? null);
    if (on.length > 0) {
      requireLabels(on, left, 'on');
      requireLabels(on, right, 'on');
    } else if ([...left].sort().join() !== [...right].sort().join()) {
      problems.push(`no series of ${textOf(node)} match: ${[...left]} is not ${[...right]}`);
    }
    return left;
  }

  function labelsOf(node: SyntaxNode | undefined, within?: string): Labels {
    switch (node?.name) {
      case 'VectorSelector':
        return selector(node, within);
      case 'MatrixSelector':
      case 'ParenExpr':
        return labelsOf(node.getChild('Expr') ?? undefined, within);
      case 'AggregateExpr':
        return aggregate(node);
      case 'FunctionCall':
        return call(node);
      case 'BinaryExpr':
        return binary(node);
      case 'NumberDurationLiteral':
        return undefined;
      default:
        problems.push(`${node?.name ?? 'nothing'} is not expected in ${text}`);
        return undefined;
    }
  }

  const tree = parser.parse(text);
  tree.iterate({
    enter: ({ type, from }) => {
      if (type.isError) problems.push(`syntax: ${text.slice(0, from)} ▸ ${text.slice(from)}`);
    },
  });
  if (problems.length > 0) return { problems, names, labels: undefined };
  const labels = labelsOf(tree.topNode.getChild('Expr') ?? undefined);
  return { problems, names, labels };
}

/** The last argument of a function or an aggregation, which is the one with series. */
const lastArgument = (node: SyntaxNode): SyntaxNode | undefined =>
  node.getChild('FunctionCallBody')?.getChildren('Expr').at(-1);
