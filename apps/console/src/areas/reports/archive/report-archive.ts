import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import type { StoredReport, StoredTemplate } from '../stored/stored-report.ts';

/** A template with its file. */
export interface ArchivedTemplate extends Omit<StoredTemplate, 'id' | 'content'> {
  readonly bytes: Uint8Array;
}

/** Everything of a report, without ids of its database. */
export interface ReportArchive
  extends Pick<StoredReport, 'name' | 'code' | 'description' | 'localeNames' | 'restAccess'> {
  /** JSON. */
  readonly definition: string;
  /** Title of its group. */
  readonly group: string | null;
  readonly templates: readonly ArchivedTemplate[];
}

/** An archive that is none. */
export class ArchiveError extends Error {}

const FORMAT = 1;
const DESCRIPTION = 'report.json';
const MAX_FILES = 100;
const MAX_BYTES = 100 * 1024 * 1024;

/** Writes a report as a zip: `report.json` and the files of its templates. */
export function writeArchive({ definition, templates, ...report }: ReportArchive): Uint8Array {
  const named = templates.map(({ bytes, ...template }, at) => ({
    bytes,
    entry: { ...template, file: `templates/${at + 1}/${template.name.replaceAll(/[\\/]/g, '_')}` },
  }));
  const description = {
    format: FORMAT,
    report: { ...report, definition: JSON.parse(definition) as unknown },
    templates: named.map(({ entry }) => entry),
  };
  return zipSync({
    [DESCRIPTION]: strToU8(JSON.stringify(description, null, 2)),
    ...Object.fromEntries(named.map(({ entry, bytes }) => [entry.file, bytes])),
  });
}

/**
 * Reads what `writeArchive` wrote.
 *
 * @throws ArchiveError that says what is wrong with it
 */
export function readArchive(zip: Uint8Array): ReportArchive {
  const files = unzipped(zip);
  const { format, report, templates } = descriptionOf(files);
  if (format !== FORMAT) throw new ArchiveError(`format ${String(format)}`);
  if (typeof report?.['name'] !== 'string' || !isObject(report['definition']) || !Array.isArray(templates))
    throw new ArchiveError(DESCRIPTION);
  const { definition, ...values } = report;
  return {
    ...(values as unknown as Omit<ReportArchive, 'definition' | 'templates'>),
    definition: JSON.stringify(definition),
    templates: templates.map((template: unknown) => {
      const { file, ...rest } = (isObject(template) ? template : {}) as Readonly<Record<string, unknown>>;
      const bytes = Object.hasOwn(files, String(file)) ? files[String(file)] : undefined;
      if (bytes === undefined) throw new ArchiveError(String(file));
      return { ...(rest as unknown as Omit<ArchivedTemplate, 'bytes'>), bytes };
    }),
  };
}

interface Description {
  readonly format?: unknown;
  readonly report?: Readonly<Record<string, unknown>>;
  readonly templates?: unknown;
}

function unzipped(zip: Uint8Array): Readonly<Record<string, Uint8Array>> {
  let count = 0;
  let size = 0;
  try {
    return unzipSync(zip, {
      filter({ originalSize }) {
        count += 1;
        size += originalSize;
        if (count > MAX_FILES || size > MAX_BYTES) throw new ArchiveError(`${MAX_BYTES / 1024 / 1024} MiB`);
        return true;
      },
    });
  } catch (error) {
    throw error instanceof ArchiveError ? error : new ArchiveError('zip', { cause: error });
  }
}

function descriptionOf(files: Readonly<Record<string, Uint8Array>>): Description {
  const content = files[DESCRIPTION];
  if (content === undefined) throw new ArchiveError(DESCRIPTION);
  try {
    const description: unknown = JSON.parse(strFromU8(content));
    if (isObject(description)) return description;
  } catch (error) {
    throw new ArchiveError(DESCRIPTION, { cause: error });
  }
  throw new ArchiveError(DESCRIPTION);
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
