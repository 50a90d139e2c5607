import { dataSetsIn, readStoredDefinition, type StoredDefinition, StoredDefinitionError } from '@lintel/application';
import { PlatformError } from '@lintel/errors';
import { type Access, assertSpecific } from '@lintel/security';
import type { LoadedReport } from '../definitions/report-catalogue.ts';

/**
 * The attribute `definition` of a copy, with the roles that the caller may give. SQL reads what the caller may not, and
 * no caller sees addresses of code.
 *
 * @throws REPORT_RUN_ERROR naming code that a definition in the database cannot have; ACCESS_DENIED
 */
export function copiedDefinition(
  { definition, isStored }: LoadedReport,
  access: Access,
  mayGive: (role: string) => boolean,
): string {
  const { parameters, bands, rootDataSets, formats, roles, validation, templates } = definition;
  const kept = { parameters, bands, rootDataSets, formats, roles: roles?.filter(mayGive) };
  const code = functionsIn({ ...kept, validation, templates });
  const texts = templates.flatMap(({ outputType }, at) => (outputType === 'TXT' ? [`templates.${at}.outputType`] : []));
  if (code.length + texts.length > 0)
    throw refused(`The report has code, which reports of the database cannot have: ${[...code, ...texts].join(', ')}`);
  const text = JSON.stringify(kept);
  const isFree = dataSetsIn(readDefinition(text)).every(
    (set) => set.kind !== 'sql' && (isStored || set.kind !== 'json' || 'parameter' in set.source),
  );
  if (!isFree)
    assertSpecific(access, 'reports.sql.edit', 'ACCESS_DENIED', 'User is not allowed to save reports with SQL');
  return text;
}

const refused = (details: string, cause?: unknown): PlatformError =>
  new PlatformError('REPORT_RUN_ERROR', details, { cause });

function readDefinition(text: string): StoredDefinition {
  try {
    return readStoredDefinition(text);
  } catch (cause) {
    throw cause instanceof StoredDefinitionError ? refused(cause.message, cause) : cause;
  }
}

/** The paths of the functions in a definition. */
function functionsIn(value: unknown, path: readonly string[] = []): readonly string[] {
  if (typeof value === 'function') return [path.join('.')];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => functionsIn(each, [...path, name]));
}
