import type { InvalidatedCache } from '@lintel/cache';
import type { EventBus } from '@lintel/events';
import type { RequestHandler, Router } from 'express';
import type { FrequentRoutes } from './access/frequent.routes.ts';
import type { Engine } from './engine/create-engine.ts';
import type { TriedEvent } from './event-handlers/create-handler-runner.ts';
import type { DueRuns, TriedRun } from './jobs/run-due.ts';

export type { Engine };

/** The routers of the service, to which features add their routes. */
export interface Routers {
  /** Below the base path of the API; its callers are authenticated and may use the API. */
  readonly rest: Router;
  /** Frequent routes of `rest`, for requests that Express need not handle. */
  readonly frequent: FrequentRoutes;
  /** For other paths. It has no middleware of its own: `guard` must run before each of its routes. */
  readonly outside: { readonly router: Router; readonly guard: RequestHandler };
  /** `/internal/forwarded` of the internal listener: requests of services with the JWT of their caller. */
  readonly forwarded: Router;
  /** `/internal` of the internal listener. */
  readonly internal: Router;
}

/** A part of the data service. Each member is optional; those of all features are called in the order of the list. */
export interface Feature {
  /** Adds the routes. Express tries them in the order of their registration. */
  register?(routers: Routers): void;
  /** What the feature keeps in memory between requests. */
  readonly caches?: readonly InvalidatedCache[];
  /** Called before the first request; an error stops the start. */
  start?(): void | Promise<void>;
  /** Subscribes to events. */
  follow?(bus: Pick<EventBus, 'subscribe'>): Promise<void>;
  /** Runs jobs that are due, where they run on demand. */
  runDueJobs?(wanted: DueRuns): Promise<readonly TriedRun[]>;
  /** Lets the event handlers handle what is published, where jobs run on demand. */
  handleEvents?(): Promise<readonly TriedEvent[]>;
  /** Ends what `start` began. */
  close?(): Promise<void>;
}

/** Creates a feature that uses the engine of the service. */
export type FeatureFactory = (engine: Engine) => Feature;
