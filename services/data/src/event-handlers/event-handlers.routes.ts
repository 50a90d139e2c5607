import { type EventHandler, isEvent } from '@lintel/application';
import { PlatformError } from '@lintel/errors';
import { contextOf, sendJson } from '@lintel/http';
import type { HandlerSelection, HandlerStore } from '@lintel/persistence';
import type { Logger } from '@lintel/telemetry';
import type { Router } from 'express';
import { z } from 'zod';
import type { OperatorGuard } from '../operations/receive-operator.ts';
import { receiveChecked } from '../rights/receive-rights.ts';

/** A handler, and the events that it gets. */
export interface SelectedHandler {
  readonly handler: EventHandler;
  readonly selection: HandlerSelection;
}

export interface EventHandlersRoutesOptions {
  /** Prefix below the router: `/operations`. */
  readonly path: string;
  readonly guard: OperatorGuard;
  readonly store: HandlerStore;
  readonly handlers: readonly SelectedHandler[];
  readonly logger: Pick<Logger, 'info'>;
  /** Called after a change. */
  readonly wake: () => void;
}

const changeSchema = z.strictObject({
  paused: z.boolean().optional(),
  replayFrom: z.iso.datetime({ offset: true }).optional(),
});

/** The event handlers of the application, for operators (contract/operations.md#event-handlers). */
export function registerEventHandlersRoutes(router: Router, options: EventHandlersRoutesOptions): void {
  const { guard, store, handlers, logger, wake } = options;
  const path = `${options.path}/event-handlers`;
  const shown = async ({ handler: { on, options: declared }, selection }: SelectedHandler) => {
    const { isPaused, waiting, deadLetters } = (await store.state(selection)) ?? NOTHING;
    return { name: declared.name, on: isEvent(on) ? on.type : on.entity, paused: isPaused, waiting, deadLetters };
  };
  router.get(path, async (request, response) => {
    guard(request, response, 'health.view');
    sendJson(response, 200, await Promise.all(handlers.map(shown)));
  });
  router.put(`${path}/:handlerName`, async (request, response) => {
    guard(request, response, 'event-handlers.manage');
    const change = await receiveChecked(request, changeSchema);
    const named = handlers.find(({ selection }) => selection.name === request.params['handlerName']);
    if (named === undefined) throw new PlatformError('REQ_NOT_FOUND', 'There is no such event handler');
    const { name } = named.selection;
    if (change.paused !== undefined) await store.setPaused(name, change.paused);
    if (change.replayFrom !== undefined) await store.replay(name, new Date(change.replayFrom));
    logger.info({ handler: name, ...change, by: contextOf(request, response).principal.sessionId }, 'handler changed');
    wake();
    sendJson(response, 200, await shown(named));
  });
}

const NOTHING = { isPaused: false, waiting: 0, deadLetters: 0 };
