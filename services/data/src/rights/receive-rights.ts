import { PlatformError } from '@lintel/errors';
import type { Request } from 'express';
import { z } from 'zod';
import { receiveJson } from '../receiving/receive-json.ts';
import { textOf } from '../receiving/receive-user.ts';

const MAX_POLICIES = 50;
const MAX_CONDITION = 20_000;

const noNul = (text: string): boolean => !text.includes('\0');
const name = z.string().min(1).max(255).refine(noNul, 'must not have a NUL character');
const clause = z.string().max(MAX_CONDITION).nullable().default(null);

/** A policy in the form of `sec_RowLevelPolicy`. */
export const rowPolicySchema = z.strictObject({
  type: z.enum(['query', 'predicate']).default('query'),
  entityName: name,
  action: z.string().max(100).default('read'),
  whereClause: clause,
  joinClause: clause,
  script: clause,
});

export const previewSchema = z
  .strictObject({
    username: name,
    entityName: name,
    role: name.optional(),
    policies: z.array(rowPolicySchema).max(MAX_POLICIES).optional(),
  })
  .refine(({ role, policies }) => (role === undefined) === (policies === undefined), {
    message: 'role and policies belong together',
  });

export const seeAsSchema = z.strictObject({ username: name });

/**
 * The JSON body of a request, checked.
 *
 * @param maxBytes 32 KB without it
 * @throws PlatformError REQ_INVALID_PARAMETER that names each wrong member
 */
export async function receiveChecked<S extends z.ZodType>(
  request: Request,
  schema: S,
  maxBytes?: number,
): Promise<z.infer<S>> {
  const parsed = schema.safeParse(await receiveJson(request, maxBytes));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  throw new PlatformError('REQ_INVALID_PARAMETER', problems.join('; '));
}

/** A text of the query that must be there. */
export function requiredText(request: Pick<Request, 'query'>, parameter: string): string {
  const value = textOf(request, parameter);
  if (value === undefined) throw new PlatformError('REQ_INVALID_PARAMETER', `${parameter} is missing`);
  return value;
}
