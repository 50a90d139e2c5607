import {
  type Application,
  type EntityListener,
  entityListener,
  hasSql,
  type ListenerContext,
  readStoredDefinition,
  StoredDefinitionError,
} from '@lintel/application';
import { refusalBy } from '@lintel/entities';
import { PlatformError } from '@lintel/errors';
import { neededPolicy } from '@lintel/security';

/** A user who saves SQL gives its result to every user who may run the report. */
const EDIT_SQL = 'reports.sql.edit';

/** Refuses reports that could not be run, when they are saved. */
export function reportListeners({ reports = [] }: Pick<Application, 'reports'>): readonly EntityListener[] {
  const taken = new Set(reports.flatMap(({ code }) => code ?? []));
  return [
    entityListener({
      entity: 'report_Report',
      async beforeSave({ before, after = {} }, context) {
        const { code, definition } = after;
        if (typeof code === 'string' && taken.has(code))
          throw refusalBy('ReportCodeTaken', context.message, 'code', code);
        if (typeof definition !== 'string' || definition === before?.['definition']) return;
        assertDefinition(definition, context);
      },
    }),
  ];
}

function assertDefinition(text: string, { hasSpecific, message }: ListenerContext): void {
  try {
    if (hasSql(readStoredDefinition(text)) && !hasSpecific(EDIT_SQL))
      throw new PlatformError('ACCESS_DENIED', 'User is not allowed to save reports with SQL', {
        headers: neededPolicy(EDIT_SQL),
      });
  } catch (error) {
    if (error instanceof StoredDefinitionError)
      throw refusalBy(error.rule, message, 'definition', text, error.parameters);
    throw error;
  }
}
