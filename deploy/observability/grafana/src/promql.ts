/** The processes that the dashboard is about. */
export const OF_JOB = 'job="$job",instance=~"$instance"';

const selected = (metric: string, matchers: string) => `${metric}{${OF_JOB}${matchers && `,${matchers}`}}`;
const by = (labels: string) => (labels === '' ? '' : ` by (${labels}) `);

/** A gauge, of each process. */
export const gauge = (metric: string, matchers = ''): string => selected(metric, matchers);

/** The sum of a gauge over all processes. */
export const sumOf = (labels: string, metric: string, matchers = ''): string =>
  `sum${by(labels)}(${selected(metric, matchers)})`;

/** The greatest value of a gauge: for what every process reports about all. */
export const maxOf = (labels: string, metric: string, matchers = ''): string =>
  `max${by(labels)}(${selected(metric, matchers)})`;

/** Growth of a counter in a second. */
export const rateOf = (labels: string, metric: string, matchers = ''): string =>
  `sum${by(labels)}(rate(${selected(metric, matchers)}[$__rate_interval]))`;

/** Which value a share of all measurements stays below: a quantile of a histogram, named without its suffix. */
export const quantileOf = (quantile: number, labels: string, metric: string, matchers = ''): string =>
  `histogram_quantile(${quantile}, ${rateOf(labels === '' ? 'le' : `le, ${labels}`, `${metric}_bucket`, matchers)})`;

/** Curves of the usual quantiles. */
export const quantilesOf = (metric: string, matchers = ''): Readonly<Record<string, string>> => ({
  'half of them': quantileOf(0.5, '', metric, matchers),
  '95 %': quantileOf(0.95, '', metric, matchers),
  '99 %': quantileOf(0.99, '', metric, matchers),
});
