/** The subjects of specific policies, in the order in which they are shown. */
export const SPECIFIC_GROUPS = ['endpoints', 'data', 'files', 'reports', 'people', 'operation', 'application'] as const;
export type SpecificGroup = (typeof SPECIFIC_GROUPS)[number];

function of(group: SpecificGroup, ...prefixes: readonly string[]): readonly (readonly [string, SpecificGroup])[] {
  return prefixes.map((prefix) => [prefix, group]);
}

/** By the begin of the name; what is not of the platform is of the application. */
const PREFIXES: readonly (readonly [string, SpecificGroup])[] = [
  ['rest.file', 'files'],
  ['files.', 'files'],
  ['rest.', 'endpoints'],
  ['reports.', 'reports'],
  ...of('data', 'history.', 'personal.', 'access-log.', 'bin.', 'views.'),
  ...of('people', 'sessions.', 'second-factors.', 'passwords.', 'clients.', 'api-keys.', 'rights.'),
  ...of('people', 'security-events.', 'identity-providers.'),
  ...of('operation', 'health.', 'configuration.', 'statements.', 'schema.', 'dead-letters.', 'webhooks.'),
  ...of('operation', 'jobs.', 'event-handlers.', 'events.', 'mailbox.'),
];

/** The subject of a specific policy. */
export const groupOfSpecific = (name: string): SpecificGroup =>
  PREFIXES.find(([prefix]) => name.startsWith(prefix))?.[1] ?? 'application';
