import type { Finding, Rule } from '../../rule.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { citedAnchors } from './citations-resolve.ts';

const CONTRACT = 'docs/contract/';
/** How the contract is written, and the list of error texts, which tests compare as a whole. */
const WITHOUT_RULES = /^docs\/contract\/(?:README|errors)\.md$/;
const ANCHOR = /<a id="([^"]*)"><\/a>/g;
const HEADING = /^#+/;
/** Below the levels of headings. */
const PARAGRAPH = 7;
const TEST_FILE = /\.test\.tsx?$/;
const TITLE = /^\s*(?:test|it|describe)\b[\s\S]*?(?<quote>['"`])(?<title>.*?)\k<quote>,/m;

/** A test that cites a rule beside itself. */
export interface TestOfRule {
  readonly file: string;
  readonly title: string;
}

export const contractRulesHaveTests: Rule = {
  id: 'contract-rules-have-tests',
  statement: 'Each rule of docs/contract is cited beside a test; a section counts with the rules in it',
  because: 'a rule that no test asserts is broken by the next change without anybody seeing it',
  *check({ texts }) {
    const tested = testsOfRules(texts);
    for (const [file, text] of texts)
      if (file.startsWith(CONTRACT) && !WITHOUT_RULES.test(file)) yield* untested(file, text, tested);
  },
};

function* untested(file: string, text: string, tested: ReadonlyMap<string, unknown>): Iterable<Finding> {
  const page = file.slice(CONTRACT.length);
  for (const { id, line, rules } of sectionsOf(text))
    if (`${id}.md` !== page && !rules.some((rule) => tested.has(`${page}#${rule}`)))
      yield { file, line, what: `has the rule #${id} without a test` };
}

interface Section {
  readonly id: string;
  readonly line: number;
  readonly level: number;
  /** Its anchor, and those inside. */
  readonly rules: string[];
}

/** The anchors of a page; one in front of a heading has all anchors of the section. */
function sectionsOf(text: string): readonly Section[] {
  const sections: Section[] = [];
  const lines = text.split('\n');
  for (const [index, line] of lines.entries())
    for (const [, id = ''] of line.matchAll(ANCHOR)) {
      const next = lines.slice(index).find((one) => one.replace(ANCHOR, '').trim() !== '') ?? '';
      const level = HEADING.exec(next)?.[0].length ?? PARAGRAPH;
      for (const section of sections) if (isOpen(section, sections, level)) section.rules.push(id);
      sections.push({ id, line: index + 1, level, rules: [id] });
    }
  return sections;
}

const isOpen = (section: Section, sections: readonly Section[], level: number): boolean =>
  section.level < level && sections.slice(sections.indexOf(section) + 1).every((later) => later.level > section.level);

/** Rules (`page.md#anchor`) with the tests that cite them. */
export function testsOfRules(texts: Workspace['texts']): ReadonlyMap<string, readonly TestOfRule[]> {
  const tests = new Map<string, TestOfRule[]>();
  for (const [file, text] of texts) {
    if (!TEST_FILE.test(file)) continue;
    for (const { index, anchor } of citedAnchors(text)) {
      const title = TITLE.exec(text.slice(text.lastIndexOf('\n', index) + 1))?.groups?.['title'] ?? '';
      tests.set(anchor, [...(tests.get(anchor) ?? []), { file, title }]);
    }
  }
  return tests;
}
