import type { NotificationText } from '@lintel/application';
import { notificationsReadBody, type Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { contextOf, sendJson } from '@lintel/http';
import { formatMessage } from '@lintel/metadata';
import { listNotifications, pruneNotifications, readNotifications } from '@lintel/persistence';
import { createPeriodicTask } from '@lintel/timing';
import type { Request, Response, Router } from 'express';
import type { Engine, FeatureFactory } from '../feature.ts';
import { receiveChecked } from '../rights/receive-rights.ts';
import { timeOf } from '../schedules/next-run.ts';
import { notifyOfReport } from './notify-of-run.ts';

const PRUNE_INTERVAL_MS = 60_000;

/** Notifications of users in the console (contract/mail.md#notifications). */
export const notificationsFeature: FeatureFactory = (engine) => {
  const { database, clock, logger } = engine.ports;
  const pruning = createPeriodicTask(
    () => pruneNotifications(database, timeOf(new Date(clock.now()))),
    PRUNE_INTERVAL_MS,
    (err) => logger.warn({ err }, 'Old notifications could not be removed'),
  );
  return {
    register: ({ rest }) => registerRoutes(rest, engine),
    start: () => pruning.start(),
    async follow(bus) {
      await bus.subscribe({
        queue: { kind: 'work', name: 'notifications' },
        types: ['reports.run.ended.v1'],
        handle: (envelope) => notifyOfReport(envelope, engine.ports),
      });
    },
    close: () => pruning.stop(),
  };
};

interface Content {
  readonly title: NotificationText;
  readonly text?: NotificationText;
  readonly link?: { readonly type: string; readonly entityName?: string };
}

function registerRoutes(
  router: Router,
  { ports, config, accessOf, read, requestDatabase, defaultLocale }: Engine,
): void {
  const path = `${config.paths.userSessionPath}/notifications`;
  router.get(path, async (request, response) => {
    const { userId, principal } = readerOf(request, response);
    const messages = read.currentMessages();
    const locale = principal.locale ?? defaultLocale;
    const textOf = (text: NotificationText): string =>
      typeof text === 'string'
        ? text
        : formatMessage(messages.find(text.message, locale) ?? text.message, text.parameters ?? {}, locale);
    const { unread, list } = await listNotifications(requestDatabase, userId);
    const access = accessOf(principal);
    const notifications = list.map(({ content, ...shown }) => {
      const { title, text, link } = JSON.parse(content) as Content;
      const isShown = link?.entityName === undefined || access.allows(link.entityName, 'read');
      return {
        ...shown,
        title: textOf(title),
        text: text === undefined ? null : textOf(text),
        link: isShown ? (link ?? null) : null,
      };
    });
    sendJson(response, 200, { unread, notifications });
  });
  router.post(`${path}/read`, async (request, response) => {
    const { userId } = readerOf(request, response);
    const { ids = null } = await receiveChecked(request, notificationsReadBody);
    await readNotifications(requestDatabase, userId, ids, timeOf(new Date(ports.clock.now())));
    response.status(204).end();
  });
}

/** An API key may have fewer roles than who reads, and who sees as another user reads only what is shown to all. */
function readerOf(request: Request, response: Response): { readonly userId: string; readonly principal: Principal } {
  const { principal } = contextOf(request, response);
  const { kind, userId, clientId, seenBy } = principal;
  if (kind !== 'user' || userId === null || clientId.startsWith('api-key:') || seenBy !== undefined)
    throw new PlatformError('ACCESS_DENIED', 'Only users with a login have notifications');
  response.setHeader('Cache-Control', 'no-store');
  return { userId, principal };
}
