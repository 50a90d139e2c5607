import type { Rule } from '../rule.ts';
import { overBaseline } from './over-baseline.ts';

export const positionalParameters: Rule = {
  id: 'positional-parameters',
  statement:
    'A function has at most five positional parameters, and no bare boolean is one of three or more arguments; positional-baseline.json only shrinks',
  because: 'a reader of a call does not see what its sixth argument is, and what `true` switches on',
  check: (workspace) =>
    overBaseline(
      workspace,
      'tools/boundaries/positional-baseline.json',
      workspace.files
        .filter(({ isTest }) => !isTest)
        .flatMap(({ path, positional }) => positional.map((one) => ['positional', { file: path, ...one }] as const)),
    ),
};
