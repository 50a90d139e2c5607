import { createUserAttributeReader, type EventHandler, isEvent } from '@lintel/application';
import { entityOf, familyTreeOf, type Model } from '@lintel/metadata';
import { createHandlerStore, createPublishedEvents, type HandlerSelection } from '@lintel/persistence';
import { CHANGE_TYPE } from '../changes/entity-change.ts';
import type { FeatureFactory } from '../feature.ts';
import { receiveOperator } from '../operations/receive-operator.ts';
import { createHandlerRunner, type HandlerRunner, type TriedEvent } from './create-handler-runner.ts';
import { typesOf } from './declared-event.ts';
import { registerEventHandlersRoutes } from './event-handlers.routes.ts';

/** The events that a handler gets. */
function selectionOf({ on, options: { name } }: EventHandler, model: Model): HandlerSelection {
  if (isEvent(on)) return { name, types: typesOf(on), owners: null, changes: null, became: null };
  const owners = familyTreeOf(model, entityOf(model, on.entity)).map((entity) => entity.name);
  return { name, types: [CHANGE_TYPE], owners, changes: on.changes ?? null, became: on.became ?? null };
}

/** The event handlers of the application, which get their events from the outbox. */
export const eventHandlersFeature: FeatureFactory = ({ ports, config, accessOf, write }) => {
  const { application, database, metrics } = ports;
  const logger = ports.logger.child({ component: 'event-handlers' });
  const readUserAttributes = createUserAttributeReader(application);
  const store = createHandlerStore(database);
  const handlers = (application.eventHandlers ?? []).map((handler) => ({
    handler,
    selection: selectionOf(handler, application.model),
  }));
  const runners: HandlerRunner[] = [];
  const wake = (): void => {
    for (const runner of runners) runner.wake();
  };
  let listening: { close(): Promise<void> } | undefined;
  return {
    register: ({ rest }) =>
      registerEventHandlersRoutes(rest, {
        path: config.paths.operationsPath,
        guard: receiveOperator(accessOf),
        store,
        handlers,
        logger,
        wake,
      }),
    async start() {
      await store.declare(handlers.map(({ selection }) => selection.name));
      if (handlers.length === 0) return;
      const isOnDemand = ports.runsJobsOnDemand;
      const deps = { isOnDemand, store, database, write, logger, metrics, readUserAttributes };
      for (const { handler, selection } of handlers) runners.push(createHandlerRunner(handler, selection, deps));
      listening = await createPublishedEvents(database).listen(wake);
    },
    async handleEvents() {
      const tried: TriedEvent[] = [];
      for (const runner of runners)
        for (let one = await runner.next(); one !== undefined; one = await runner.next()) tried.push(one);
      return tried;
    },
    async close() {
      await listening?.close();
      await Promise.all(runners.map((runner) => runner.stop()));
    },
  };
};
