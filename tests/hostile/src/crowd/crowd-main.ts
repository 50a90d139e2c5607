/** A process with the ordinary users: their times are not those of the attacker's process. */
import { summarizeLatencies } from '../probe/latencies.ts';
import { serveWorker } from '../serve-worker.ts';
import type { CrowdCommand, CrowdPlan, CrowdReport, CrowdResponse } from './crowd-messages.ts';
import { OrdinaryUser } from './ordinary-user.ts';

const LOGINS_AT_ONCE = 5;

const latenciesMs = new Map<string, number[]>();
const latenciesOfUsersMs = new Map<string, number[]>();
const errors = new Map<string, number>();
let users: readonly OrdinaryUser[] = [];
let working: Promise<unknown> = Promise.resolve();

function record(latencies: Map<string, number[]>, key: string, ms: number): void {
  const known = latencies.get(key) ?? [];
  latencies.set(key, known);
  known.push(ms);
}

function onReply(username: string, kind: string, ms: number, problem: string | undefined): void {
  record(latenciesMs, kind, ms);
  record(latenciesOfUsersMs, username, ms);
  if (problem !== undefined) errors.set(problem, (errors.get(problem) ?? 0) + 1);
}

async function begin({ url, usernames, pauseMs }: CrowdPlan): Promise<void> {
  users = usernames.map(
    (name, at) =>
      new OrdinaryUser(url, name, `127.0.200.${at + 1}`, (kind, ms, problem) => onReply(name, kind, ms, problem)),
  );
  for (let at = 0; at < users.length; at += LOGINS_AT_ONCE)
    await Promise.all(users.slice(at, at + LOGINS_AT_ONCE).map((user) => user.logIn()));
  working = Promise.all(users.map((user) => user.work(pauseMs)));
}

async function end(): Promise<CrowdReport> {
  for (const user of users) user.stop();
  await working;
  const ofUsers = [...latenciesOfUsersMs.values()].map(summarizeLatencies).sort((a, b) => b.p99 - a.p99);
  return {
    all: summarizeLatencies([...latenciesMs.values()].flat()),
    byKind: Object.fromEntries([...latenciesMs].map(([kind, values]) => [kind, summarizeLatencies(values)])),
    slowestUser: ofUsers[0] ?? summarizeLatencies([]),
    errors: Object.fromEntries(errors),
  };
}

serveWorker(async (command: CrowdCommand): Promise<CrowdResponse> => {
  if (command.kind === 'end') return { kind: 'ended', report: await end() };
  await begin(command.plan);
  return { kind: 'began' };
});
