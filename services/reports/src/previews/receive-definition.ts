import type { ReportTemplate } from '@lintel/application';
import { PlatformError } from '@lintel/errors';
import { z } from 'zod';
import { templateOf } from './template-of.ts';

/** Characters of a definition that is checked; those of the example have 5,000. */
const MAX_CHARACTERS = 200_000;

const OUTPUT_TYPES = ['PDF', 'HTML', 'DOCX', 'XLSX', 'CSV', 'TXT', 'CUSTOM'] as const;
const MAX_TEMPLATES = 20;

/** The members are named as the attributes of `report_ReportTemplate`. */
const template = z.strictObject({
  code: z.string().min(1).optional(),
  name: z.string().min(1),
  content: z.string().min(1),
  outputType: z.enum(OUTPUT_TYPES).optional(),
});

const schema = z.strictObject({
  definition: z.string().max(MAX_CHARACTERS),
  templates: z.array(template).max(MAX_TEMPLATES).optional(),
});

/** A definition that is checked, with its templates. */
export interface CheckedDefinition {
  readonly definition: string;
  readonly templates: readonly ReportTemplate[];
  /** References to the files of the templates by their codes. */
  readonly contents: ReadonlyMap<string, string>;
}

/**
 * The definition and the templates in the body of a check.
 *
 * @throws PlatformError REPORT_INVALID_BODY that names the member
 */
export function receiveDefinition(body: string): CheckedDefinition {
  const { definition, templates = [] } = receiveMembers(schema, body);
  return {
    definition,
    templates: templates.map(({ code = 'DEFAULT', name, outputType }) => templateOf(code, name, outputType)),
    contents: new Map(templates.map(({ code = 'DEFAULT', content }) => [code, content])),
  };
}

/**
 * The members of a JSON body.
 *
 * @throws PlatformError REPORT_INVALID_BODY that names each wrong member
 */
export function receiveMembers<S extends z.ZodType>(members: S, body: string): z.infer<S> {
  const { success, data, error } = members.safeParse(parsed(body));
  if (success) return data;
  const problems = error.issues.map(({ path, message }) => [...path, message].join(': '));
  throw new PlatformError('REPORT_INVALID_BODY', problems.join('; '));
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new PlatformError('REPORT_INVALID_BODY', 'The body is not JSON', { cause });
  }
}
