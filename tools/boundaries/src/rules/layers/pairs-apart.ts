import type { Rule, RuleId } from '../../rule.ts';
import { importRule } from '../import-rule.ts';

/** A rule of the form "these never import those". Tests are free: they may build what the source must not know. */
const neverImports = (
  id: RuleId,
  folders: readonly string[],
  forbidden: readonly string[],
  words: { readonly statement: string; readonly because: string },
): Rule =>
  importRule({ id, ...words }, ({ file, statement, target }) =>
    !file.isTest && folders.includes(file.packageFolder) && target.kind === 'package' && forbidden.includes(target.name)
      ? `imports ${statement.specifier}`
      : undefined,
  );

export const queryWithoutSecurity = neverImports('query-without-security', ['libs/query'], ['@lintel/security'], {
  statement: 'query never imports security',
  because: 'the compiler says what it needs in access.ts; security produces it',
});

export const metadataWithoutTypeorm = neverImports('metadata-without-typeorm', ['libs/metadata'], ['typeorm'], {
  statement: 'metadata never imports TypeORM',
  because: 'the model is the source; persistence builds entity schemas and migrations from it',
});

/** `application` brings the other three with it. */
export const transportsWithoutEntities = neverImports(
  'transports-without-entities',
  ['libs/http', 'libs/http-client', 'libs/events', 'libs/cache', 'libs/telemetry'],
  ['@lintel/metadata', '@lintel/query', '@lintel/security', '@lintel/application'],
  {
    statement: 'http, http-client, events, cache and telemetry never import metadata, query, security or application',
    because: 'they know transports, not entities',
  },
);
