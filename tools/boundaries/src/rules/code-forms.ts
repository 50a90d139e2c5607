import type { Rule } from '../rule.ts';
import { importsOf } from '../workspace/import-target.ts';
import { overBaseline } from './over-baseline.ts';

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

/** What cannot be read cannot be checked. */
export const readableSource: Rule = {
  id: 'readable-source',
  statement: 'Every source can be parsed',
  because: 'the rules hold only for what is read',
  *check({ unreadable }) {
    for (const { path, line, message } of unreadable) yield { file: path, line, what: message };
  },
};

const OWNER = 'libs/config/src/environment.ts';

/** Tests are free: the environment says how long they run. */
export const environmentInConfig: Rule = {
  id: 'environment-in-config',
  statement: `Only ${OWNER} reads process.env`,
  because: 'settings are read once, validated whole and passed as arguments',
  *check(workspace) {
    for (const file of workspace.files) {
      if (file.isTest || file.path === OWNER) continue;
      for (const { line, path } of file.globalUses)
        if (path === 'process' || path === 'process.*' || /^process\.env(\.|$)/.test(path))
          yield { file: file.path, line, what: `reads ${path}` };
    }
    for (const { file, statement, target } of importsOf(workspace))
      if (!file.isTest && file.path !== OWNER && target.kind === 'builtin' && target.name === 'process')
        if (statement.names.some((name) => name === 'env' || name === '*'))
          yield { file: file.path, line: statement.line, what: 'imports env of node:process' };
  },
};

/** Responses of other servers are not a `ServerResponse`. */
const SENDS = /ServerResponse|'express'/;
const DESTROYS = /\bresponse\.destroy\(/;

export const responsesAreCut: Rule = {
  id: 'responses-are-cut',
  statement: 'Services end incomplete responses with cutResponse of libs/http, and do not destroy them',
  because: 'a client of HTTP/1.0 takes a response whose connection was only closed for complete',
  *check({ files, texts }) {
    for (const { path, isTest } of files) {
      const text = texts.get(path) ?? '';
      if (isTest || !/^services\/|\/send-error\.ts$/.test(path) || !SENDS.test(text)) continue;
      for (const [at, line] of text.split('\n').entries())
        if (DESTROYS.test(line)) yield { file: path, line: at + 1, what: 'destroys a response' };
    }
  },
};

const END_OF_TEST = /^\s*\}, (\d[\d_]*)\);$/;

export const testsHaveTime: Rule = {
  id: 'tests-have-time',
  statement: 'A test has no limit of its own that is shorter than the default of two minutes',
  because: 'a limit that holds on a quiet machine fails on a busy one',
  *check({ files, texts }) {
    for (const { path, isTest } of files) {
      if (!isTest) continue;
      for (const [at, line] of (texts.get(path) ?? '').split('\n').entries()) {
        const limitMs = Number(END_OF_TEST.exec(line)?.[1]?.replaceAll('_', '') ?? Infinity);
        // Smaller numbers are other arguments.
        if (limitMs >= 1_000 && limitMs <= 120_000)
          yield { file: path, line: at + 1, what: `ends after ${limitMs} ms` };
      }
    }
  },
};
