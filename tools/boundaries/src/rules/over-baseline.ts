import type { Finding } from '../rule.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Code moves between these folders: they have one count. */
const PRODUCT = /^(?:apps|libs|services|deploy)\//;
/** As many fewer may be left before the number is lowered, so that few changes touch the baseline. */
const SLACK = 20;

/**
 * Yields the findings of each form and group of folders that has more of them than the baseline permits.
 *
 * @param baseline file with the permitted numbers, which only shrink
 */
export function* overBaseline(
  { texts }: Workspace,
  baseline: string,
  findings: Iterable<readonly [form: string, finding: Finding]>,
): Iterable<Finding> {
  const numbers = new Map(Object.entries(JSON.parse(texts.get(baseline) ?? '{}') as Record<string, number>));
  const found = new Map<string, Finding[]>([...numbers.keys()].map((key) => [key, []]));
  for (const [form, finding] of findings) {
    const key = `${form} ${PRODUCT.test(finding.file) ? 'product' : finding.file.split('/')[0]}`;
    found.set(key, [...(found.get(key) ?? []), finding]);
  }
  for (const [key, each] of found) {
    const permitted = numbers.get(key) ?? 0;
    const count = `"${key}" permits ${permitted}, and ${each.length} are left`;
    if (each.length < permitted - SLACK || (each.length === 0 && permitted > 0))
      yield { file: baseline, line: 1, what: `${count}: lower it` };
    if (each.length > permitted) for (const one of each) yield { ...one, what: `${one.what}; ${count}` };
  }
}
