import { z } from 'zod';
import { BOOLEAN, COUNT, listOf, objectOf, ref, type Schema, STRING } from '../route-description.ts';
import { schemasOf } from './schemas-of.ts';
import { textUpTo } from './texts.ts';

const name = textUpTo(255).min(1);
const clause = z.string().max(20_000).nullable().default(null);

/** A policy in the form of `sec_RowLevelPolicy`. */
export const rowPolicyBody = z.strictObject({
  type: z.enum(['query', 'predicate']).default('query'),
  entityName: name,
  action: z.string().max(100).default('read'),
  whereClause: clause,
  joinClause: clause,
  script: clause,
});

export const rowPreviewBody = z
  .strictObject({
    username: name,
    entityName: name,
    role: name.optional().describe('Code of the row-level role with `policies`'),
    policies: z.array(rowPolicyBody).max(50).optional(),
  })
  .refine(({ role, policies }) => (role === undefined) === (policies === undefined), {
    message: 'role and policies belong together',
  });

export const seeAsBody = z.strictObject({ username: name });

const SOURCE: Schema = { type: 'string', enum: ['application', 'database'], description: 'Where the role is defined' };
const NULLABLE: Schema = { type: ['string', 'null'] };
const POSITION: Schema = { type: ['integer', 'null'], minimum: 1, description: 'Counts from 1; null if not known' };
const DIFFERENCES = listOf(
  objectOf({
    target: STRING,
    first: { type: 'integer', enum: [0, 1, 2] },
    second: { type: 'integer', enum: [0, 1, 2] },
  }),
);

/** The schemas of roles and of the rights of other users. */
export const rightsSchemas = (): Readonly<Record<string, Schema>> => ({
  Roles: objectOf({
    resourceRoles: listOf(
      objectOf({
        code: STRING,
        name: STRING,
        description: NULLABLE,
        source: SOURCE,
        isReplaced: { ...BOOLEAN, description: 'The application has a role of this code, which counts instead' },
        scopes: listOf(STRING),
        childRoles: listOf(STRING),
        policies: listOf(objectOf({ type: STRING, resource: STRING, action: STRING, effect: STRING })),
      }),
    ),
    rowLevelRoles: listOf(
      objectOf({ code: STRING, name: STRING, source: SOURCE, policies: listOf(ref('ListedRowPolicy')) }),
    ),
  }),
  ListedRowPolicy: objectOf({
    type: { type: 'string', enum: ['query', 'predicate'] },
    entityName: STRING,
    action: { type: ['string', 'null'], description: 'Actions, separated by commas' },
    whereClause: NULLABLE,
    joinClause: NULLABLE,
    script: { type: ['string', 'null'], description: 'Null for a function of the application' },
  }),
  RoleDifference: objectOf({ entities: DIFFERENCES, entityAttributes: DIFFERENCES, specifics: DIFFERENCES }),
  ...schemasOf({ RowPolicy: rowPolicyBody, RowPreviewRequest: rowPreviewBody, SeeAsRequest: seeAsBody }),
  RowPolicyCheck: objectOf({
    errors: listOf(objectOf({ attribute: STRING, message: STRING, line: POSITION, column: POSITION })),
  }),
  RowPreview: objectOf({
    canRead: { ...BOOLEAN, description: 'Whether the user may read the entity at all' },
    count: COUNT,
    rows: { description: 'The first 20, with `_base`', ...listOf({ type: 'object', additionalProperties: true }) },
  }),
  AccessExplanation: objectOf({
    username: STRING,
    entityName: STRING,
    id: STRING,
    isVisible: BOOLEAN,
    hiddenAttributes: { ...listOf(STRING), description: 'Attributes that the user may not view' },
    reasons: listOf(
      objectOf(
        {
          reason: {
            type: 'string',
            enum: ['user-disabled', 'api-denied', 'entity-denied', 'row-role-unknown', 'row-policy'],
          },
          roles: { ...listOf(STRING), description: 'Roles that give the missing right' },
          role: { type: 'string', description: 'The row-level role' },
          roleName: STRING,
          policy: ref('ListedRowPolicy'),
        },
        ['reason'],
      ),
    ),
  }),
  SeeAsToken: objectOf({
    username: STRING,
    access_token: STRING,
    expires_in: { type: 'integer', description: 'Seconds' },
  }),
  NeededRight: objectOf({
    isGranted: { type: 'boolean', description: 'Whether the caller has the right' },
    roles: {
      type: ['array', 'null'],
      items: { type: 'string' },
      description: 'The roles that give it; null for callers who may not see roles',
    },
    rowLevelRoles: {
      type: 'array',
      items: { type: 'string' },
      description: 'Those of the caller that restrict the operation',
    },
  }),
});
