import type { Attack } from './attacks/attack.ts';
import type { Reply } from './client/send-request.ts';
import type { AttackResult } from './run-attack.ts';

const MEBIBYTE = 1024 * 1024;

/** What the system keeps to while it is attacked (docs/security.md, "Proof"). */
export const BOUNDS = {
  otherUserP99Ms: 1_000,
  blockMs: 250,
  settledGrowthBytes: 100 * MEBIBYTE,
  backendBytes: 300 * MEBIBYTE,
  responseMs: 5_000,
} as const;

/** What is wrong with an attack. */
export interface Problem {
  /** In words. */
  readonly what: string;
  /** Something took too long: on a machine that stood still meanwhile, anything does. */
  readonly isTime: boolean;
}

const wrong = (what: string): Problem => ({ what, isTime: false });
const slow = (what: string): Problem => ({ what, isTime: true });

/**
 * What is wrong; empty where all bounds are kept.
 *
 * @param timeFactor times of a machine that does other work as well are that much longer, and its collectors of garbage
 *   that much later
 */
export function judgeAttack(attack: Attack, { replies, report }: AttackResult, timeFactor: number): readonly Problem[] {
  const withinMs = (attack.withinMs ?? BOUNDS.responseMs) * timeFactor;
  const { otherUser, processes } = report;
  const times: readonly Limit[] = [
    ['p99 of another user, in ms', otherUser.p99, BOUNDS.otherUserP99Ms * timeFactor],
    ...processes.map(
      ({ name, maxBlockMs, maxBusyMs }) =>
        [
          `block of the event loop of ${name}, in ms`,
          // Where other programs run at the same time, elapsed time says little.
          timeFactor === 1 ? maxBlockMs : maxBusyMs,
          (attack.maxBlockMs ?? BOUNDS.blockMs) * timeFactor,
        ] as const,
    ),
  ];
  const sizes: readonly Limit[] = [
    ...processes.map(
      ({ name, settledBytes: [before, after] }) =>
        [
          `growth of ${name}, in MB`,
          (after - before) / MEBIBYTE,
          (BOUNDS.settledGrowthBytes / MEBIBYTE) * timeFactor,
        ] as const,
    ),
    ['memory of a backend, in MB', report.maxBackendBytes / MEBIBYTE, BOUNDS.backendBytes / MEBIBYTE],
  ];
  return [
    ...[...new Set(replies.flatMap((reply) => wrongReply(attack, reply)))].map(wrong),
    ...[...new Set(replies.flatMap((reply) => lateReply(reply, withinMs)))].map(slow),
    ...above(times).map(slow),
    ...above(sizes).map(wrong),
    ...countedErrors(otherUser.errors).map(wrong),
    ...processes.filter(({ isAlive }) => !isAlive).map(({ name }) => wrong(`${name} has ended`)),
    ...(report.isDatabaseAlive ? [] : [wrong('the database has ended or recovered')]),
    ...report.interventions.map(wrong),
  ];
}

type Limit = readonly [what: string, value: number, bound: number];

const above = (limits: readonly Limit[]): readonly string[] =>
  limits
    .filter(([, value, bound]) => value >= bound)
    .map(([what, value, bound]) => `${what}: ${Math.round(value)}, bound ${bound}`);

function countedErrors(errors: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const error of errors) counts.set(error, (counts.get(error) ?? 0) + 1);
  return [...counts].map(([error, count]) => `another user got ${count} times ${error}`);
}

function wrongReply(attack: Attack, reply: Reply): readonly string[] {
  const { status, headers, text, ms } = reply;
  if (!attack.statuses.includes(status)) return [`${nameOf(reply)} ${text.slice(0, 200)}`];
  if ((status === 429 || status === 503) && headers['retry-after'] === undefined && ms > 0)
    return [`${nameOf(reply)} without Retry-After: ${text.slice(0, 200)}`];
  if (status === 400 && attack.limit !== undefined && !namesLimit(text, attack.limit))
    return [`${nameOf(reply)} does not name ${attack.limit}: ${text.slice(0, 200)}`];
  return [];
}

const lateReply = (reply: Reply, withinMs: number): readonly string[] =>
  reply.ms > withinMs ? [`${nameOf(reply)} after ${(reply.ms / 1_000).toFixed(1)} s`] : [];

const nameOf = ({ label, status }: Reply): string => `${label === undefined ? '' : `${label}: `}${status}`;

const namesLimit = (text: string, limit: string | RegExp): boolean =>
  typeof limit === 'string' ? text.includes(limit) : limit.test(text);
