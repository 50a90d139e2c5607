import type { Subscription } from '@lintel/events';
import type { Router } from 'express';
import type { AuthConfig } from './config.ts';
import type { AuthPorts } from './ports.ts';
import type { AuthServices } from './startup/create-services.ts';
import type { Issuing } from './startup/issuing.feature.ts';

/** All parts of the service; each feature names those that it needs. */
export interface AuthParts extends AuthServices, Issuing {
  readonly ports: AuthPorts;
  readonly config: AuthConfig;
}

/** The routers of the service, to which features add their routes. */
export interface Routers {
  /** Routes that the gateway forwards: tokens, keys, discovery, and the pages of logins. */
  readonly open: Router;
  /** Routes of the listener that the gateway never routes to. */
  readonly internal: Router;
}

/** A part of the auth service. Members are optional; the same member of all features is called in the order of the list. */
export interface Feature {
  register?(routers: Routers): void;
  /** Called before the first request; an error stops the start. */
  start?(): Promise<void>;
  /** Subscriptions to events, which end with the service. */
  readonly follow?: readonly (() => Promise<Subscription>)[];
  /** Work that is repeated at an interval, with the message of a failure. */
  readonly repeated?: readonly (readonly [work: () => Promise<unknown>, failure: string])[];
}

/** Creates a feature from the parts that it names. */
export type FeatureFactory<K extends keyof AuthParts> = (parts: Pick<AuthParts, K>) => Feature;
