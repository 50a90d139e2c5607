import type { JobDefinition } from '@lintel/application';
import { INTEGERS } from '@lintel/contracts';
import type { WriteDependencies } from '@lintel/entities';
import { PlatformError } from '@lintel/errors';
import { contextOf, sendJson } from '@lintel/http';
import { type Database, enqueueRun } from '@lintel/persistence';
import type { AccessOf } from '@lintel/security';
import type { Clock } from '@lintel/timing';
import type { Request, Response, Router } from 'express';
import type { OperatorGuard } from '../operations/receive-operator.ts';
import { refuseBody } from '../receiving/receive-json.ts';
import { numberOf } from '../receiving/receive-number.ts';
import { textOf } from '../receiving/receive-user.ts';
import { createRunStore, RUN_STATES, type StoredRun } from './run-store.ts';

export interface JobsRoutesOptions {
  /** Prefix below the router: `/operations`. */
  readonly path: string;
  readonly guard: OperatorGuard;
  readonly accessOf: AccessOf;
  readonly jobs: readonly JobDefinition[];
  readonly database: Database;
  readonly write: WriteDependencies;
  readonly clock: Clock;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const POSITION = /^(\d{1,17})\.([0-9a-f-]{36})$/;

/** Jobs and their runs, for operators (contract/operations.md#jobs). */
export function registerJobsRoutes(router: Router, options: JobsRoutesOptions): void {
  const { path, guard, accessOf, jobs, database, write, clock } = options;
  const store = createRunStore(database);
  /** The jobs that the caller has the permission for; others are unknown to the caller. */
  const permitted = (request: Request, response: Response, permission: 'jobs.read' | 'jobs.manage') => {
    const ofJob = ({ name }: JobDefinition): string => `${permission}.${name}`;
    guard(request, response, permission, jobs.map(ofJob));
    const { hasSpecific } = accessOf(contextOf(request, response).principal);
    return hasSpecific(permission) ? jobs : jobs.filter((job) => hasSpecific(ofJob(job)));
  };
  const jobOf = (known: readonly JobDefinition[], name: unknown): JobDefinition => {
    const found = known.find((job) => job.name === name);
    if (found === undefined) throw new PlatformError('REQ_NOT_FOUND', 'There is no such job');
    return found;
  };
  const runOf = async ({ params }: Request, known: readonly JobDefinition[]): Promise<StoredRun> => {
    const id = String(params['runId']);
    const names = known.map(({ name }) => name);
    const run = UUID.test(id) ? await store.find(names, id) : undefined;
    if (run === undefined) throw new PlatformError('REQ_NOT_FOUND', 'There is no such run');
    return run;
  };
  router.get(`${path}/jobs`, async (request, response) => {
    const known = permitted(request, response, 'jobs.read');
    // The module is large, and needed only where there are jobs.
    const times = jobs.length === 0 ? undefined : await import('../schedules/next-time.ts');
    const from = new Date(clock.now());
    const paused = await store.paused();
    sendJson(
      response,
      200,
      known.map((job) => ({
        name: job.name,
        schedule: job.options.schedule ?? null,
        timeZone: job.options.schedule === undefined ? null : (job.options.timeZone ?? 'UTC'),
        next: times?.nextTimeOf(job, from)?.toISOString() ?? null,
        paused: paused.has(job.name),
      })),
    );
  });
  router.get(`${path}/job-runs`, async (request, response) => {
    const known = permitted(request, response, 'jobs.read');
    const { state } = request.query;
    const job = textOf(request, 'job');
    if (state !== undefined && !RUN_STATES.some((known) => known === state))
      throw new PlatformError('REQ_INVALID_PARAMETER', `state must be one of ${RUN_STATES.join(', ')}`);
    const selected = job === undefined ? known : [jobOf(known, job)];
    const limit = numberOf(request, INTEGERS.jobRuns);
    sendJson(
      response,
      200,
      await store.list({
        jobs: selected.map(({ name }) => name),
        state: state as string | undefined,
        after: afterOf(request),
        limit,
      }),
    );
  });
  router.get(`${path}/job-runs/:runId`, async (request, response) => {
    const known = permitted(request, response, 'jobs.read');
    sendJson(response, 200, await runOf(request, known));
  });
  router.post(`${path}/jobs/:jobName/run`, async (request, response) => {
    const known = permitted(request, response, 'jobs.manage');
    await refuseBody(request, 'the run has no arguments');
    // The platform queues its jobs itself, with arguments.
    const ofApplication = known.filter(({ name }) => !name.includes('.'));
    const { name, options: declared } = jobOf(ofApplication, request.params['jobName']);
    const id = write.environment.ids.next();
    await enqueueRun(database, { name, ...declared }, { id, json: '{}' });
    write.environment.jobs?.wake(name);
    sendJson(response, 201, { id });
  });
  const changing =
    (change: (job: JobDefinition) => Promise<unknown>) => async (request: Request, response: Response) => {
      const known = permitted(request, response, 'jobs.manage');
      await refuseBody(request, 'the path has all that is needed');
      await change(jobOf(known, request.params['jobName']));
      response.status(204).end();
    };
  router.post(`${path}/jobs/:jobName/pause`, changing(store.pause));
  router.post(`${path}/jobs/:jobName/resume`, changing(store.resume));
  router.post(`${path}/job-runs/:runId/cancel`, async (request, response) => {
    const known = permitted(request, response, 'jobs.manage');
    await refuseBody(request, 'the path has all that is needed');
    const { job, id } = await runOf(request, known);
    if (!(await store.cancel(job, id))) throw new PlatformError('JOB_RUN_STATE', 'The run has ended');
    response.status(204).end();
  });
  router.post(`${path}/job-runs/:runId/retry`, async (request, response) => {
    const known = permitted(request, response, 'jobs.manage');
    await refuseBody(request, 'the path has all that is needed');
    const { job, id } = await runOf(request, known);
    if (!(await store.retry(job, id))) throw new PlatformError('JOB_RUN_STATE', 'The run has not failed');
    write.environment.jobs?.wake(job);
    response.status(204).end();
  });
}

function afterOf({ query }: Request): { readonly micros: string; readonly id: string } | undefined {
  const value = query['after'];
  if (value === undefined) return undefined;
  const [, micros, id] = (typeof value === 'string' ? POSITION.exec(value) : null) ?? [];
  if (micros === undefined || id === undefined || !UUID.test(id))
    throw new PlatformError('REQ_INVALID_PARAMETER', 'after must be the next of an earlier response');
  return { micros, id };
}
