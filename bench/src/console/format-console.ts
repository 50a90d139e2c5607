import { markdownTable } from '../report/markdown-table.ts';
import type { ConsoleFigure } from './run-console.ts';

const TITLES = {
  page: 'Since the page was opened',
  response: 'Since the response of the API',
} as const;

/** The figures as tables of Markdown. */
export const formatConsole = (figures: readonly ConsoleFigure[]): string =>
  (['page', 'response'] as const)
    .map((since) => {
      const rows = figures
        .filter((figure) => figure.since === since)
        .map(({ what, medianMs, p90Ms, limitMs }) => [
          what,
          ...[medianMs, p90Ms].map((value) => String(Math.round(value))),
          `${limitMs} ${medianMs <= limitMs ? '✓' : '✗'}`,
        ]);
      return markdownTable([TITLES[since], 'median, ms', 'p90, ms', 'limit, ms'], rows);
    })
    .join('\n\n');
