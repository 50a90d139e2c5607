import type { SourceFile } from '../../source/source-file.ts';

/**
 * The pure libs and all packages that each may import:
 * application → security → query → metadata → errors ← contracts ← query.
 */
export const CORE_LIBS: ReadonlyMap<string, readonly string[]> = new Map([
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
export const isCoreSource = (file: SourceFile): boolean => !file.isTest && CORE_LIBS.has(file.packageFolder);
