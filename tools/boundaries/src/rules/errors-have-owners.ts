import type { Rule } from '../rule.ts';

/** Of what runs in production. Tests may fail. */
const GUARDED = /^(libs|services|deploy|examples)\//;

/** The forms that the syntax shows; the last line of defence (libs/http, end-on-failure) is for the others. */
export const errorsHaveOwners: Rule = {
  id: 'errors-have-owners',
  statement: 'Streams are joined by pipeline, and callbacks that return no promise are no async functions',
  because: 'an error event without a listener, or a rejection that nothing waits for, ends the process',
  *check(workspace) {
    for (const file of workspace.files) {
      if (file.isTest || !GUARDED.test(file.path) || file.path.startsWith('libs/testkit/')) continue;
      for (const { line, what } of file.unownedErrors) yield { file: file.path, line, what };
    }
  },
};
