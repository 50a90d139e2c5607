import type { Model } from '../../context.ts';

/** A page of the area, for the users who may see it. */
interface RunningPage {
  readonly name: string;
  readonly isShown: (model: Pick<Model, 'rights'>) => boolean;
}

const needs =
  (permission: string): RunningPage['isShown'] =>
  ({ rights }) =>
    rights.has(permission);

/** In the order of the navigation. */
const RUNNING_PAGES: readonly RunningPage[] = [
  { name: 'health', isShown: needs('health.view') },
  { name: 'dead-letters', isShown: needs('dead-letters.view') },
  { name: 'handlers', isShown: needs('health.view') },
  { name: 'jobs', isShown: ({ rights }) => rights.hasAny('jobs.read') },
  { name: 'mailbox', isShown: needs('mailbox.view') },
  { name: 'webhooks', isShown: ({ rights }) => rights.may('sys_Webhook', 'read') },
  { name: 'configuration', isShown: ({ rights }) => rights.has('configuration.view') && rights.has('health.view') },
  { name: 'statements', isShown: needs('statements.view') },
  { name: 'schema', isShown: needs('schema.view') },
];

/** The pages that the user may see. */
export const runningPages = (model: Pick<Model, 'rights'>): readonly string[] =>
  RUNNING_PAGES.filter(({ isShown }) => isShown(model)).map(({ name }) => name);
