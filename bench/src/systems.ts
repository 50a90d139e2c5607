import type { Addition, JsonStyle } from './servers/server-settings.ts';

/** Names of what can be measured beside the reference. */
export const SYSTEM_NAMES = [
  'data',
  'data-without-listeners',
  'history',
  'follow-ups',
  'gateway',
  'standalone',
  'gateway-express',
  'forwarder-express',
  'nginx-express',
  'express-build-object',
  'express-locks',
  'bare',
  'pgbench',
  'typeorm',
] as const;

export type SystemName = (typeof SYSTEM_NAMES)[number];

/** The reference of all ratios, yardstick (c). */
export const REFERENCE = 'express';

export type ServerName = SystemName | typeof REFERENCE;

/** What is measured beside the reference, and how it is reached. */
export interface System {
  readonly name: ServerName;
  readonly about: string;
  /** Program of `servers/`; none for pgbench. */
  readonly program: string | undefined;
  readonly api: 'lintel' | 'yardstick';
  /** The system that it stands in front of. */
  readonly upstream?: ServerName;
  /** Systems of our own have targets and are run several times; the others are run once. */
  readonly isOurs: boolean;
  /** Runs as often as systems of our own, and with the same warm-up: the cost of the gateway is compared with it. */
  readonly isRepeated?: boolean;
  /** Whether the application's listeners are called. */
  readonly listeners: boolean;
  /** Further effects of a write of an order, in a separate database. */
  readonly adds?: Addition;
  readonly onlyWrites?: boolean;
  readonly onlyReads?: boolean;
  /** How (c) builds JSON; `row` without it. */
  readonly json?: JsonStyle;
  /** Whether (c) locks and reads an order before it changes it; blindly without it. */
  readonly locks?: boolean;
}

const yardstick = { api: 'yardstick', isOurs: false, listeners: false } as const;

export const SYSTEMS: Readonly<Record<ServerName, System>> = {
  express: { ...yardstick, name: 'express', about: '(c) Express + pg', program: 'express-pg' },
  data: {
    name: 'data',
    about: 'data service',
    program: 'data-service',
    api: 'lintel',
    isOurs: true,
    listeners: true,
  },
  'data-without-listeners': {
    name: 'data-without-listeners',
    about: 'data service, no listeners of the application',
    program: 'data-service',
    api: 'lintel',
    isOurs: true,
    listeners: false,
    onlyWrites: true,
  },
  history: {
    name: 'history',
    about: 'data service, orders with a history',
    program: 'data-service',
    api: 'lintel',
    isOurs: true,
    listeners: true,
    adds: 'history',
    onlyWrites: true,
  },
  'follow-ups': {
    name: 'follow-ups',
    about: 'data service, each write of an order publishes an event and queues a run',
    program: 'data-service',
    api: 'lintel',
    isOurs: true,
    listeners: true,
    adds: 'follow-ups',
    onlyWrites: true,
  },
  gateway: {
    name: 'gateway',
    about: 'gateway and data service',
    program: 'gateway',
    api: 'lintel',
    upstream: 'data',
    isOurs: true,
    listeners: true,
  },
  standalone: {
    name: 'standalone',
    about: 'all services in one process, as npm start',
    program: 'standalone',
    api: 'lintel',
    isOurs: true,
    listeners: true,
  },
  'gateway-express': {
    ...yardstick,
    name: 'gateway-express',
    about: 'the same gateway and (c)',
    program: 'gateway',
    upstream: 'express',
    isOurs: true,
  },
  'forwarder-express': {
    ...yardstick,
    name: 'forwarder-express',
    about: 'the least forwarder and (c)',
    program: 'forwarder',
    upstream: 'express',
    isRepeated: true,
  },
  'nginx-express': {
    ...yardstick,
    name: 'nginx-express',
    about: 'nginx and (c)',
    program: 'nginx',
    upstream: 'express',
  },
  'express-build-object': {
    ...yardstick,
    name: 'express-build-object',
    about: '(c) with json_build_object',
    program: 'express-pg',
    json: 'object',
    onlyReads: true,
  },
  'express-locks': {
    ...yardstick,
    name: 'express-locks',
    about: '(c) that locks and reads before it changes',
    program: 'express-pg',
    onlyWrites: true,
    locks: true,
  },
  bare: { ...yardstick, name: 'bare', about: '(b) bare node:http + pg', program: 'bare-pg' },
  pgbench: { ...yardstick, name: 'pgbench', about: '(a) pgbench, the same SQL', program: undefined },
  typeorm: { ...yardstick, name: 'typeorm', about: '(d) Express + TypeORM', program: 'express-typeorm' },
};

/** Whether a system runs in every round. */
export const runsOften = (name: ServerName): boolean => {
  const { isOurs, isRepeated } = SYSTEMS[name];
  return name === REFERENCE || isOurs || isRepeated === true;
};

/** The system and everything that it calls in a request. */
export function chainOf(name: ServerName): readonly ServerName[] {
  const { upstream } = SYSTEMS[name];
  return upstream === undefined ? [name] : [name, ...chainOf(upstream)];
}
