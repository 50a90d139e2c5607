import type { Rule } from '../../rule.ts';
import type { GlobalUse, SourceFile } from '../../source/source-file.ts';
import { importsOf, type ResolvedImport } from '../../workspace/import-target.ts';

/**
 * The pure libs and all packages that each may import:
 * application → security → query → metadata → errors ← contracts ← query.
 */
const CORE_LIBS: ReadonlyMap<string, readonly string[]> = new Map([
  ['libs/errors', ['fastest-levenshtein']],
  ['libs/metadata', ['@lintel/errors', 'intl-messageformat']],
  ['libs/contracts', ['@lintel/errors', 'zod']],
  ['libs/query', ['@lintel/contracts', '@lintel/errors', '@lintel/metadata', 'chevrotain']],
  ['libs/security', ['@lintel/contracts', '@lintel/errors', '@lintel/metadata', '@lintel/query']],
  [
    'libs/application',
    [
      '@lintel/contracts',
      '@lintel/errors',
      '@lintel/metadata',
      '@lintel/query',
      '@lintel/security',
      'ajv',
      'ajv-formats',
      'fast-xml-parser',
      'properties-file',
      'zod',
    ],
  ],
]);

/** Whether the file is part of the product and in a pure lib. */
const isCoreSource = (file: SourceFile): boolean => !file.isTest && CORE_LIBS.has(file.packageFolder);

/** Node's modules that compute only. `node:crypto` is not among them: see `PURE_CRYPTO`. */
const PURE_BUILTINS = new Set(['buffer', 'path/posix', 'querystring', 'string_decoder', 'url', 'util']);

/** What of `node:crypto` gives the same result for the same arguments. */
const PURE_CRYPTO = new Set(['createHash', 'createHmac', 'hash']);

/** First imports, then globals. */
export const pureCore: Rule = {
  id: 'pure-core',
  statement:
    'errors, metadata, query, security, application and contracts import no framework, driver, adapter, logger or I/O, and use no environment, clock, randomness, timer or console',
  because: 'the core runs in a test with nothing but values',
  *check(workspace) {
    for (const one of importsOf(workspace)) {
      if (!isCoreSource(one.file)) continue;
      const what = impureImport(one);
      if (what !== undefined) yield { file: one.file.path, line: one.statement.line, what };
    }
    for (const file of workspace.files) {
      if (!isCoreSource(file)) continue;
      for (const use of file.globalUses)
        if (isImpure(use)) yield { file: file.path, line: use.line, what: `uses ${use.path}` };
    }
  },
};

function impureImport({ file, statement, target }: ResolvedImport): string | undefined {
  switch (target.kind) {
    case 'computed':
      return 'imports a module whose name is computed';
    case 'file':
      return undefined;
    case 'builtin':
      if (target.name === 'crypto') {
        const impure = statement.names.filter((name) => !PURE_CRYPTO.has(name));
        return statement.isTypeOnly || impure.length === 0 ? undefined : `imports ${impure.join(', ')} of node:crypto`;
      }
      return PURE_BUILTINS.has(target.name) ? undefined : `imports node:${target.name}`;
    case 'package': {
      const allowed = CORE_LIBS.get(file.packageFolder) ?? [];
      if (allowed.includes(target.name) || target.workspacePackage?.folder === file.packageFolder) return undefined;
      return `imports ${target.name}; ${file.packageFolder} may import ${allowed.join(', ') || 'nothing'}`;
    }
    default:
      return target satisfies never;
  }
}

/** `Math` is pure but for its dice; a `Date` made of an argument is a value; a hash is computed. */
function isImpure({ path }: GlobalUse): boolean {
  const [object, member] = path.split('.');
  switch (object) {
    case 'Math':
      return member === 'random' || member === '*';
    case 'Date':
      return member === 'now' || member === '*';
    default:
      return true;
  }
}
