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

/**
 * What is wrong, in words; empty where all bounds are kept.
 *
 * @param timeFactor times of a machine that does other work as well are that much longer, and its collectors of garbage
 *   that much later
 */
export function judgeAttack(attack: Attack, { replies, report }: AttackResult, timeFactor: number): readonly string[] {
  const withinMs = (attack.withinMs ?? BOUNDS.responseMs) * timeFactor;
  const { otherUser, processes } = report;
  const limits: readonly (readonly [what: string, value: number, bound: number])[] = [
    ['p99 of another user, in ms', otherUser.p99, BOUNDS.otherUserP99Ms * timeFactor],
    ...processes.flatMap(({ name, maxBlockMs, settledBytes: [before, after] }) => [
      [`block of the event loop of ${name}, in ms`, maxBlockMs, BOUNDS.blockMs * timeFactor] as const,
      [
        `growth of ${name}, in MB`,
        (after - before) / MEBIBYTE,
        (BOUNDS.settledGrowthBytes / MEBIBYTE) * timeFactor,
      ] as const,
    ]),
    ['memory of a backend, in MB', report.maxBackendBytes / MEBIBYTE, BOUNDS.backendBytes / MEBIBYTE],
  ];
  return [
    ...new Set(replies.flatMap((reply) => wrongReply(attack, reply, withinMs))),
    ...limits
      .filter(([, value, bound]) => value >= bound)
      .map(([what, value, bound]) => `${what}: ${Math.round(value)}, bound ${bound}`),
    ...countedErrors(otherUser.errors),
    ...processes.filter(({ isAlive }) => !isAlive).map(({ name }) => `${name} has ended`),
    ...(report.isDatabaseAlive ? [] : ['the database has ended or recovered']),
    ...report.interventions,
  ];
}

function countedErrors(errors: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const error of errors) counts.set(error, (counts.get(error) ?? 0) + 1);
  return [...counts].map(([error, count]) => `another user got ${count} times ${error}`);
}

function wrongReply(attack: Attack, reply: Reply, withinMs: number): readonly string[] {
  const { status, headers, text, ms, label } = reply;
  const what = `${label === undefined ? '' : `${label}: `}${status}`;
  const problems: string[] = [];
  if (!attack.statuses.includes(status)) problems.push(`${what} ${text.slice(0, 200)}`);
  else if ((status === 429 || status === 503) && headers['retry-after'] === undefined && ms > 0)
    problems.push(`${what} without Retry-After: ${text.slice(0, 200)}`);
  else if (status === 400 && attack.limit !== undefined && !namesLimit(text, attack.limit))
    problems.push(`${what} does not name ${attack.limit}: ${text.slice(0, 200)}`);
  if (ms > withinMs) problems.push(`${what} after ${(ms / 1_000).toFixed(1)} s`);
  return problems;
}

const namesLimit = (text: string, limit: string | RegExp): boolean =>
  typeof limit === 'string' ? text.includes(limit) : limit.test(text);
