import { empty, inPath, inQuery, json, listOf, type RouteDescription, ref, routeOf } from '../route-description.ts';
import { INTEGERS } from './integers.ts';

const route = routeOf('Operation');
const READ =
  'Needs the specific policy `jobs.read`, or `jobs.read.` with the name of the job; other jobs are unknown then.';
const MANAGE = 'Needs the specific policy `jobs.manage`, or `jobs.manage.` with the name of the job.';
const JOB = { ...inPath('jobName', 'The name of the job'), example: 'nightly-reminders' };
const RUN = { ...inPath('runId', 'The id of the run'), example: '5b0c6f60-52a4-4c5e-9b6a-0f7b5f0f3d12' };
const STATES = ['created', 'retry', 'active', 'completed', 'cancelled', 'failed'];

/** Jobs of the application and their runs (contract/operations.md#jobs). */
export const jobRoutes = (operationsPath: string): readonly RouteDescription[] => [
  route('get', `${operationsPath}/jobs`, 'listJobs', {
    summary: 'The jobs of the application',
    description: `${READ} With the next time of their schedules.`,
    responses: { 200: json('In the order of the application', listOf(ref('Job'))) },
  }),
  route('post', `${operationsPath}/jobs/{jobName}/run`, 'runJob', {
    summary: 'Runs a job now',
    description: `${MANAGE} Queues a run without arguments.`,
    parameters: [JOB],
    responses: { 201: json('The run', ref('QueuedJobRun')) },
  }),
  route('post', `${operationsPath}/jobs/{jobName}/pause`, 'pauseJob', {
    summary: 'Pauses a job',
    description: `${MANAGE} Its runs wait, and active ones go on.`,
    parameters: [JOB],
    responses: { 204: empty('No run begins, from a few seconds on') },
  }),
  route('post', `${operationsPath}/jobs/{jobName}/resume`, 'resumeJob', {
    summary: 'Lets a paused job go on',
    description: `${MANAGE} Scheduled times since the pause are missed ones.`,
    parameters: [JOB],
    responses: { 204: empty('It goes on') },
  }),
  route('get', `${operationsPath}/job-runs`, 'listJobRuns', {
    summary: 'Runs of jobs, the newest first',
    description: `${READ} Runs are kept for 30 days after their end. Arguments are not shown.`,
    parameters: [
      { ...inQuery('job', 'Only runs of this job'), example: 'nightly-reminders' },
      inQuery('state', 'Only runs in this state', { type: 'string', enum: STATES }),
      inQuery('after', 'The `next` of a page, which the response continues'),
      INTEGERS.jobRuns,
    ],
    responses: { 200: json('A page', ref('JobRuns')) },
    errors: [404],
  }),
  route('get', `${operationsPath}/job-runs/{runId}`, 'getJobRun', {
    summary: 'A run of a job',
    description: READ,
    parameters: [RUN],
    responses: { 200: json('The run', ref('JobRun')) },
  }),
  route('post', `${operationsPath}/job-runs/{runId}/cancel`, 'cancelJobRun', {
    summary: 'Cancels a run',
    description: `${MANAGE} A run that has not begun is removed. The signal of an active one is aborted within seconds.`,
    parameters: [RUN],
    responses: { 204: empty('It is cancelled') },
    errors: [409],
  }),
  route('post', `${operationsPath}/job-runs/{runId}/retry`, 'retryJobRun', {
    summary: 'Queues a failed or cancelled run again',
    description: MANAGE,
    parameters: [RUN],
    responses: { 204: empty('It is queued') },
    errors: [409],
  }),
];
