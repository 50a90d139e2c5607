import { createUserAttributeReader, type EventHandler, isOwnEvent } from '@lintel/application';
import { entityOf, familyTreeOf, type Model } from '@lintel/metadata';
import { createHandlerStore, createPublishedEvents, type HandlerSelection } from '@lintel/persistence';
import { CHANGE_TYPE } from '../changes/entity-change.ts';
import type { FeatureFactory } from '../feature.ts';
import { createHandlerRunner, type HandlerRunner } from './create-handler-runner.ts';

/** The events that a handler gets. */
function selectionOf({ on, options: { name } }: EventHandler, model: Model): HandlerSelection {
  if (isOwnEvent(on)) return { name, type: on.type, owners: null, changes: null, became: null };
  const owners = familyTreeOf(model, entityOf(model, on.entity)).map((entity) => entity.name);
  return { name, type: CHANGE_TYPE, owners, changes: on.changes ?? null, became: on.became ?? null };
}

/** The event handlers of the application, which get their events from the outbox. */
export const eventHandlersFeature: FeatureFactory = ({ ports, write }) => {
  const { application, database, metrics } = ports;
  const { eventHandlers = [] } = application;
  const logger = ports.logger.child({ component: 'event-handlers' });
  const readUserAttributes = createUserAttributeReader(application);
  const runners: HandlerRunner[] = [];
  let listening: { close(): Promise<void> } | undefined;
  return {
    async start() {
      const store = createHandlerStore(database);
      await store.declare(eventHandlers.map(({ options }) => options.name));
      if (eventHandlers.length === 0) return;
      const deps = { store, database, write, logger, metrics, readUserAttributes };
      for (const handler of eventHandlers)
        runners.push(createHandlerRunner(handler, selectionOf(handler, application.model), deps));
      listening = await createPublishedEvents(database).listen(() => {
        for (const runner of runners) runner.wake();
      });
    },
    async close() {
      await listening?.close();
      await Promise.all(runners.map((runner) => runner.stop()));
    },
  };
};
