import type { ResourceRole } from './role.ts';
import { entityPolicy, modifyAttributes, resourceRole, specificPolicy } from './role-builder.ts';

/** Names of the specific permissions that the API itself requires (contract/roles.md#specific). */
export const SPECIFIC_PERMISSIONS = [
  'rest.enabled',
  'rest.fileUpload.enabled',
  'rest.fileDownload.enabled',
  'reports.rest.enabled',
  'reports.sql.edit',
  'sessions.manage',
  'sessions.see-as',
  'second-factors.manage',
  'passwords.manage',
  'clients.manage',
  'api-keys.create',
  'api-keys.manage',
  'health.view',
  'configuration.view',
  'statements.view',
  'schema.view',
  'security-events.view',
  'identity-providers.view',
  'identity-providers.test',
  'dead-letters.view',
  'dead-letters.content.view',
  'dead-letters.manage',
  'rights.view',
  'rights.preview',
  'views.share',
  'history.read',
  'personal.read',
  'access-log.read',
  'bin.read',
  'bin.restore',
  'bin.purge',
  'files.manage',
  'jobs.read',
  'jobs.manage',
  'event-handlers.manage',
  'events.read',
  'mailbox.view',
  'webhooks.owner.choose',
] as const;
/** Name of a specific permission that the platform checks. */
export type SpecificPermission = (typeof SPECIFIC_PERMISSIONS)[number];

/** The roles every application has (contract/roles.md#predefined). */
export const BUILT_IN_ROLES: readonly ResourceRole[] = [
  resourceRole('rest-minimal', {
    name: 'REST: minimal access',
    scopes: ['API'],
    policies: [specificPolicy('rest.enabled')],
  }),
  resourceRole('system-full-access', {
    name: 'Full access',
    policies: [entityPolicy('*', 'all'), modifyAttributes('*', '*'), specificPolicy('*')],
  }),
  resourceRole('report-run-api', {
    name: 'Reports: run reports using REST API',
    scopes: ['API'],
    policies: [
      specificPolicy('reports.rest.enabled'),
      entityPolicy('report_Report', 'read'),
      entityPolicy('report_ReportGroup', 'read'),
      entityPolicy('report_ReportTemplate', 'read'),
    ],
  }),
];
