import { empty, inPath, inQuery, json, listOf, type RouteDescription, ref, routeOf } from '../route-description.ts';
import { INTEGERS } from './integers.ts';

const route = routeOf('Operation');
const needs = (permission: string): string => `Needs the specific policy \`${permission}\`.`;
const KEY = { ...inPath('key', 'The key of the dead letter'), example: 'kQ3v0b1uU8nJ2hX7cW5m9A' };

/** The state of the running system (contract/operations.md). */
export const operationRoutes = (path: string): readonly RouteDescription[] => [
  ...stateRoutes(path),
  ...identityRoutes(path),
  ...deadLetterRoutes(path),
  ...eventHandlerRoutes(path),
  route('post', `${path}/webhooks/{webhookId}/test`, 'testWebhook', {
    summary: 'Sends a test message to the receiver of a webhook',
    description:
      'Needs the right to update the webhook, and `webhooks.owner.choose` for that of another owner. The message is signed, has the type `webhook.test.v1` and no data. It is sent once, also to a webhook that is not active.',
    parameters: [{ ...inPath('webhookId', 'The id of the webhook'), example: '6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11' }],
    responses: { 200: json('The response of the receiver', ref('WebhookTest')) },
  }),
];

/** Processes, queues, and the database. */
const stateRoutes = (path: string): readonly RouteDescription[] => [
  route('get', `${path}/processes`, 'listProcesses', {
    summary: 'The running processes with their health',
    description: `${needs('health.view')} Each process reports every five seconds; one that has not reported for 20 seconds is not listed.`,
    responses: { 200: json('By service', listOf(ref('Process'))) },
  }),
  route('get', `${path}/processes/{processId}/settings`, 'listProcessSettings', {
    summary: 'The configuration in force in a process',
    description: `${needs('configuration.view')} Each property with its value and the source of the value. Secrets are masked.`,
    parameters: [{ ...inPath('processId', 'The id of the process'), example: 'data-host-17' }],
    responses: { 200: json('By name', listOf(ref('ProcessSetting'))) },
  }),
  route('get', `${path}/mailbox`, 'readMailbox', {
    summary: 'Mails that are shown instead of being sent',
    description: `${needs('mailbox.view')} The last 100 mails of one process without an SMTP server, the newest first; elsewhere none.`,
    responses: { 200: json('The mails', listOf(ref('ShownMail'))) },
  }),
  route('get', `${path}/queues`, 'readQueues', {
    summary: 'Queues, outbox and deliveries that wait',
    description: needs('health.view'),
    responses: { 200: json('What waits', ref('Queues')) },
  }),
  route('get', `${path}/tasks`, 'countTasks', {
    summary: 'What waits for an operator',
    description:
      'Needs one of the specific policies `jobs.read`, `dead-letters.view` and `health.view`; numbers of the others are left out.',
    responses: { 200: json('The numbers', ref('OperationTasks')) },
  }),
  route('get', `${path}/links`, 'readOperationLinks', {
    summary: 'Addresses of dashboards and traces',
    description: `${needs('health.view')} As configured; null where nothing is.`,
    responses: { 200: json('The addresses', ref('OperationLinks')) },
  }),
  route('get', `${path}/slow-statements`, 'listSlowStatements', {
    summary: 'Slow statements of all processes',
    description: `${needs('statements.view')} The most recent first; each process keeps a hundred. Without values.`,
    parameters: [INTEGERS.slowStatements],
    responses: { 200: json('The statements', listOf(ref('SlowStatement'))) },
  }),
  route('get', `${path}/schema`, 'readSchemaState', {
    summary: 'Migrations and differences between the database and the model',
    description: needs('schema.view'),
    responses: { 200: json('The comparison', ref('SchemaState')) },
  }),
];

/** Events of logins, and the providers of identities. */
const identityRoutes = (path: string): readonly RouteDescription[] => [
  route('get', `${path}/security-events`, 'listSecurityEvents', {
    summary: 'Logins and other security events of all users',
    description: `${needs('security-events.view')} The newest first, as long as they are kept.`,
    parameters: [
      { ...inQuery('type', 'Names of types, with commas between them'), example: 'login.failed,login.blocked' },
      inQuery('username', 'Events of this user'),
      inQuery('clientId', 'Events of this client'),
      inQuery('role', 'Events of this role; of a row-level role `row_level_role:<code>`'),
      inQuery('from', 'The first moment', { type: 'string', format: 'date-time' }),
      inQuery('to', 'The first moment that is too late', { type: 'string', format: 'date-time' }),
      inQuery('after', 'The `next` of a page, which the response continues'),
      INTEGERS.securityEvents,
    ],
    responses: { 200: json('A page', ref('SecurityEvents')) },
  }),
  route('get', `${path}/identity-providers`, 'listIdentityProviders', {
    summary: 'Identity providers and directories of the configuration',
    description: `${needs('identity-providers.view')} Secrets are masked.`,
    responses: { 200: json('In the order of the configuration', listOf(ref('IdentityProvider'))) },
  }),
  route('post', `${path}/identity-providers/{name}/test`, 'testIdentityProvider', {
    summary: 'Tests the connection to an identity provider',
    description: `${needs('identity-providers.test')} Reads its metadata and keys, or logs in at the directory, as a login does. Nothing is stored.`,
    parameters: [{ ...inPath('name', 'The name of the provider in the configuration'), example: 'acme' }],
    responses: { 200: json('What is wrong, if anything is', ref('IdentityProviderTest')) },
  }),
];

/** Event handlers of the application. */
const eventHandlerRoutes = (path: string): readonly RouteDescription[] => [
  route('get', `${path}/event-handlers`, 'listEventHandlers', {
    summary: 'The event handlers of the application',
    description: `${needs('health.view')} With the number of events that wait, at most 10,000 of those that were not tried yet.`,
    responses: { 200: json('In the order of the application', listOf(ref('EventHandler'))) },
  }),
  route('put', `${path}/event-handlers/{handlerName}`, 'changeEventHandler', {
    summary: 'Pauses an event handler, lets it go on, or repeats its events',
    description: `${needs('event-handlers.manage')} Repeated events have all their effects again.`,
    parameters: [{ ...inPath('handlerName', 'The name of the handler'), example: 'remind' }],
    request: json('One of the members or both', ref('EventHandlerChange')),
    responses: { 200: json('The handler', ref('EventHandler')) },
  }),
];

/** Messages that a consumer could not handle. */
const deadLetterRoutes = (path: string): readonly RouteDescription[] => [
  route('get', `${path}/dead-letters`, 'listDeadLetters', {
    summary: 'Events that a handler refused',
    description: `${needs('dead-letters.view')} The oldest of each service first, without their content.`,
    parameters: [INTEGERS.deadLetters],
    responses: { 200: json('The dead letters', ref('DeadLetters')) },
  }),
  route('get', `${path}/dead-letters/{key}`, 'getDeadLetter', {
    summary: 'A dead letter with its content',
    description: `${needs('dead-letters.content.view')} The content has values independent of the rights that the caller has on them.`,
    parameters: [KEY],
    responses: { 200: json('The dead letter', ref('DeadLetterContent')) },
  }),
  route('post', `${path}/dead-letters/{key}/retry`, 'retryDeadLetter', {
    summary: 'Sends an event to its queue again',
    description: `${needs('dead-letters.manage')} The letter is removed when the queue has stored the event.`,
    parameters: [KEY],
    responses: { 204: empty('The queue has the event') },
    errors: [409],
  }),
  route('delete', `${path}/dead-letters/{key}`, 'discardDeadLetter', {
    summary: 'Removes a dead letter',
    description: `${needs('dead-letters.manage')} Its event is lost.`,
    parameters: [KEY],
    responses: { 204: empty('The letter is removed') },
  }),
];
