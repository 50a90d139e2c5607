import { importsOf } from '../import-target.ts';
import type { Rule } from '../rule.ts';

const STAGES = ['parse', 'resolve', 'secure', 'plan', 'compile', 'shape'];
const SOURCE = 'libs/query/src/';

/** Rule 11 of architecture.md. What the stages share (ast, json, ids, literals, language, access.ts) is below all. */
export const queryStageOrder: Rule = {
  id: 'query-stage-order',
  statement: `In query/src no stage imports a later one (${STAGES.join(' < ')}), and what they share imports none`,
  because: 'a request is a line: a stage knows what came before it and nothing of what follows',
  *check(workspace) {
    for (const { file, statement, target } of importsOf(workspace)) {
      if (file.isTest || target.kind !== 'file') continue;
      const from = stageOf(file.path);
      const to = stageOf(target.path);
      if (from === undefined || to === undefined || to.rank <= from.rank) continue;
      yield {
        file: file.path,
        line: statement.line,
        what: `${from.name} imports ${statement.specifier} of ${to.name}`,
      };
    }
  },
};

/** Stages count from 0, shared folders come before them; `index.ts`, which gathers all, has no rank. */
function stageOf(path: string): { readonly name: string; readonly rank: number } | undefined {
  if (!path.startsWith(SOURCE)) return undefined;
  const [name = ''] = path.slice(SOURCE.length).split('/', 1);
  return name === 'index.ts' ? undefined : { name, rank: STAGES.indexOf(name) };
}
