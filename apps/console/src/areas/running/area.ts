import { IconActivity } from '@tabler/icons-react';
import type { Model } from '../../context.ts';
import { defineArea } from '../../shell/area.ts';
import { RUNNING_PAGES } from './running-pages.ts';

/** The running system: health, dead letters, event handlers, jobs, mails, webhooks, configuration, statements, schema. */
export const runningArea = defineArea({
  name: 'running',
  icon: IconActivity,
  isShown: (model: Model) => RUNNING_PAGES.some(({ isShown }) => isShown(model)),
  pages: [
    { path: '/', load: async () => (await import('./first-page.tsx')).FirstPage },
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
  commands: (model) =>
    RUNNING_PAGES.filter(({ isShown }) => isShown(model)).map(({ name }) => ({
      id: `running:${name}`,
      label: { key: `running.${name}` },
      to: `running/${name}`,
    })),
  navigation: async () => (await import('./running-navigation.tsx')).RunningNavigation,
});
