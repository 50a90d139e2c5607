import type { Rule } from '../rule.ts';

/** What cannot be read cannot be checked. */
export const readableSource: Rule = {
  id: 'readable-source',
  statement: 'Every source can be parsed',
  because: 'the rules hold only for what is read',
  *check({ unreadable }) {
    for (const { path, line, message } of unreadable) yield { file: path, line, what: message };
  },
};
