import type { Rule } from '../../rule.ts';
import { importsOf } from '../../workspace/import-target.ts';

const PLAN = 'libs/query/src/plan';
const VISIBILITY = 'libs/query/src/secure/visibility.ts';
const TRUSTED = `${PLAN}/trusted.ts`;

/** Who may import what sees all rows. A further importer reads rows that the caller may not see. */
const IMPORTERS: Readonly<Record<string, readonly (readonly [name: string, importer: string])[]>> = {
  [VISIBILITY]: [['TRUSTED', TRUSTED]],
  [TRUSTED]: [
    // What row conditions refer to decides which rows are visible; nothing of it is shown.
    ['planRowCondition', `${PLAN}/create-statement-context.ts`],
    // Predicates read it; the shape stage drops it.
    ['planPolicyObject', `${PLAN}/objects/plan-object.ts`],
    // Their ids are compared with those that are shown; the shape stage drops them.
    ['reachAllTargets', `${PLAN}/objects/plan-token.ts`],
    // Checks at the start: no statement is made.
    ['tryCondition', `${PLAN}/check-condition.ts`],
    ['trySelect', `${PLAN}/check-select.ts`],
  ],
};

/** Everything else of `visibility.ts` may be imported; of `trusted.ts` nothing else. */
export const trustedInOneModule: Rule = {
  id: 'trusted-in-one-module',
  statement:
    'TRUSTED, the visibility that hides nothing, has one importer: plan/trusted.ts of query. Each function of that file has one, too',
  because: 'what sees all rows is a way around every policy: each use has a name and a reason, and stands in one file',
  *check(workspace) {
    for (const { file, statement, target } of importsOf(workspace)) {
      if (file.isTest || statement.isTypeOnly || target.kind !== 'file') continue;
      const allowed = IMPORTERS[target.path];
      if (allowed === undefined) continue;
      for (const name of statement.names) {
        if (target.path === VISIBILITY && name !== 'TRUSTED' && name !== '*') continue;
        if (allowed.some(([only, importer]) => only === name && importer === file.path)) continue;
        yield { file: file.path, line: statement.line, what: `imports ${name} of ${target.path}` };
      }
    }
  },
};
