import { CHROMIUM, type ConversionProgram, type DocumentConverters, PROGRAMS_PAGE, programOf } from '@lintel/documents';
import type { Logger } from '@lintel/telemetry';
import type { LoadedReport } from './report-catalogue.ts';

/**
 * Logs a warning for each program, or package of npm, that is not installed and that templates of the reports need: their
 * runs will fail.
 */
export async function warnOfMissingPrograms(
  reports: readonly LoadedReport[],
  converters: Pick<DocumentConverters, 'findMissing' | 'findMissingPackage'>,
  logger: Logger,
): Promise<void> {
  const uses = reports.flatMap(({ definition }) =>
    definition.templates.map((template) => ({
      program: template.render === undefined ? programOf(template.file, template.outputType) : undefined,
      template: `${definition.code ?? definition.id}/${template.code}`,
    })),
  );
  if (uses.every(({ program }) => program === undefined)) return;
  const templatesOf = (program: ConversionProgram): readonly string[] =>
    uses.flatMap((use) => (use.program === program ? use.template : []));
  const missingPackage = converters.findMissingPackage();
  const printed = templatesOf(CHROMIUM);
  if (missingPackage !== undefined && printed.length > 0) logger.warn({ templates: printed }, missingPackage);
  for (const program of await converters.findMissing()) {
    const templates = templatesOf(program);
    if (templates.length === 0) continue;
    const { name, property } = program;
    logger.warn(
      { property, templates },
      `${name} was not found: ${templates.length} template(s) of reports need it. Install it, or set ${property}: see ${PROGRAMS_PAGE}`,
    );
  }
}
