import type { Addition } from './servers/server-settings.ts';

/** Names of what can be measured beside the reference. */
export const SYSTEM_NAMES = [
  'data',
  'data-without-listeners',
  'history',
  'follow-ups',
  'gateway',
  'standalone',
  'forwarder-express',
] as const;

export type SystemName = (typeof SYSTEM_NAMES)[number];

/** The reference of all ratios, yardstick (c). */
export const REFERENCE = 'express';

export type ServerName = SystemName | typeof REFERENCE;

/** What is measured beside the reference, and how it is reached. */
export interface System {
  readonly about: string;
  /** Program of `servers/`. */
  readonly program: string;
  /** Systems with the API of the platform are ours: they have targets and limits. */
  readonly api: 'lintel' | 'yardstick';
  /** The system that it stands in front of. */
  readonly upstream?: ServerName;
  /** Whether the application's listeners are called. */
  readonly listeners: boolean;
  /** Further effects of a write of an order, in a separate database. */
  readonly adds?: Addition;
  readonly onlyWrites?: boolean;
}

const yardstick = { api: 'yardstick', listeners: false } as const;
const data = { program: 'data-service', api: 'lintel', listeners: true } as const;

export const SYSTEMS: Readonly<Record<ServerName, System>> = {
  express: { ...yardstick, about: '(c) Express + pg', program: 'express-pg' },
  data: { ...data, about: 'data service' },
  'data-without-listeners': {
    ...data,
    about: 'data service, no listeners of the application',
    listeners: false,
    onlyWrites: true,
  },
  history: { ...data, about: 'data service, orders with a history', adds: 'history', onlyWrites: true },
  'follow-ups': {
    ...data,
    about: 'data service, each write of an order publishes an event and queues a run',
    adds: 'follow-ups',
    onlyWrites: true,
  },
  gateway: { ...data, about: 'gateway and data service', program: 'gateway', upstream: 'data' },
  standalone: { ...data, about: 'all services in one process, as npm start', program: 'standalone' },
  'forwarder-express': {
    ...yardstick,
    about: 'the least forwarder and (c)',
    program: 'forwarder',
    upstream: 'express',
  },
};

/** The system and everything that it calls in a request. */
export function chainOf(name: ServerName): readonly ServerName[] {
  const { upstream } = SYSTEMS[name];
  return upstream === undefined ? [name] : [name, ...chainOf(upstream)];
}
