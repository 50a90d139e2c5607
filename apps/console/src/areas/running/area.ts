import { IconActivity } from '@tabler/icons-react';
import { defineArea, menuCommands } from '../../shell/area.ts';
import { runningPages } from './running-pages.ts';

const menu = async () => (await import('../../shell/area-menu.tsx')).menuOf({ area: 'running', menu: runningPages });

/** The running system: health, dead letters, event handlers, jobs, mails, webhooks, configuration, statements, schema. */
export const runningArea = defineArea({
  name: 'running',
  icon: IconActivity,
  isShown: (model) => runningPages(model).length > 0,
  pages: [
    { path: '/', load: async () => (await menu()).firstPage },
    { path: 'health', load: async () => (await import('./health/health-page.tsx')).HealthPage },
    { path: 'dead-letters', load: async () => (await import('./dead-letters/dead-letters-page.tsx')).DeadLettersPage },
    { path: 'handlers', load: async () => (await import('./handlers/handlers-page.tsx')).HandlersPage },
    { path: 'jobs', load: async () => (await import('./jobs/jobs-page.tsx')).JobsPage },
    { path: 'mailbox', load: async () => (await import('./mailbox/mailbox-page.tsx')).MailboxPage },
    { path: 'webhooks', load: async () => (await import('./webhooks/webhooks-page.tsx')).WebhooksPage },
    { path: 'webhooks/new', load: async () => (await import('./webhooks/webhook-edit-page.tsx')).WebhookEditPage },
    {
      path: 'webhooks/$webhook/edit',
      load: async () => (await import('./webhooks/webhook-edit-page.tsx')).WebhookEditPage,
    },
    { path: 'webhooks/$webhook', load: async () => (await import('./webhooks/webhook-page.tsx')).WebhookPage },
    {
      path: 'configuration',
      load: async () => (await import('./configuration/configuration-page.tsx')).ConfigurationPage,
    },
    { path: 'statements', load: async () => (await import('./health/statements-page.tsx')).StatementsPage },
    { path: 'schema', load: async () => (await import('./health/schema-page.tsx')).SchemaPage },
  ],
  commands: (model) => menuCommands('running', runningPages(model)),
  navigation: async () => (await menu()).navigation,
});
