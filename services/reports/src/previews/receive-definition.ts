import type { ReportTemplate } from '@lintel/application';
import { definitionCheckBody } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { z } from 'zod';
import { templateOf } from './template-of.ts';

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
  const { definition, templates = [] } = receiveMembers(definitionCheckBody, body);
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
