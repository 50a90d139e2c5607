import type { ConsoleFigure } from './run-console.ts';

const TITLES = {
  page: 'Since the page was opened',
  response: 'Since the response of the API',
} as const;

/** The figures as a table of Markdown. */
export function formatConsole(figures: readonly ConsoleFigure[]): string {
  const parts = (['page', 'response'] as const).map((since) => {
    const lines = figures
      .filter((figure) => figure.since === since)
      .map(({ what, medianMs, p90Ms, limitMs }) => {
        const verdict = medianMs <= limitMs ? '✓' : '✗';
        return `| ${what} | ${Math.round(medianMs)} | ${Math.round(p90Ms)} | ${limitMs} ${verdict} |`;
      });
    return [`| ${TITLES[since]} | median, ms | p90, ms | limit, ms |`, '| --- | ---: | ---: | ---: |', ...lines].join(
      '\n',
    );
  });
  return parts.join('\n\n');
}
