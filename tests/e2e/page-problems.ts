import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Collects errors of scripts, violations of the policy, and requests to other servers than the one of `url`. */
export function collectProblems(page: Page, url: string): readonly string[] {
  const { origin } = new URL(url);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.context().on('request', (request) => {
    if (!/^(blob|data):/.test(request.url()) && new URL(request.url()).origin !== origin)
      problems.push(`requests ${request.url()}`);
  });
  return problems;
}

/** Rules of axe that the page breaks, with the elements. */
export const violationsOf = (page: Page): Promise<unknown> =>
  page.evaluate(
    `${AXE}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))`,
  );
