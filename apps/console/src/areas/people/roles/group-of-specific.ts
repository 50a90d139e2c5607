/** What specific policies are about, in the order in which they are shown. */
export const SPECIFIC_GROUPS = ['endpoints', 'files', 'reports', 'people', 'operation', 'application'] as const;
export type SpecificGroup = (typeof SPECIFIC_GROUPS)[number];

/** By the begin of the name; what is not of the platform is of the application. */
const PREFIXES: readonly (readonly [string, SpecificGroup])[] = [
  ['rest.file', 'files'],
  ['files.', 'files'],
  ['rest.', 'endpoints'],
  ['reports.', 'reports'],
  ...['sessions.', 'second-factors.', 'passwords.', 'clients.', 'api-keys.', 'rights.'].map(
    (prefix) => [prefix, 'people'] as const,
  ),
  ...['health.', 'configuration.', 'statements.', 'schema.', 'dead-letters.', 'webhooks.'].map(
    (prefix) => [prefix, 'operation'] as const,
  ),
];

/** What a specific policy is about. */
export const groupOfSpecific = (name: string): SpecificGroup =>
  PREFIXES.find(([prefix]) => name.startsWith(prefix))?.[1] ?? 'application';
