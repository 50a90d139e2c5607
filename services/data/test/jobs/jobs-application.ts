import { setTimeout as sleep } from 'node:timers/promises';
import {
  defineApplication,
  entityListener,
  type JobContext,
  job,
  restMethod,
  service,
  t,
  ValidationError,
} from '@lintel/application';
import { standardEntity, string } from '@lintel/metadata';
import { entityPolicy, modifyAttributes, resourceRole, specificPolicy } from '@lintel/security';
import { currentTraceId } from '@lintel/telemetry';

/** Texts of the handlers, in this process. */
export const done: string[] = [];

/** Names of runs of `steps` that do not end until they are removed. */
export const held = new Set<string>();

/** Texts of jobs that the clock starts, at any time of a test. */
export const scheduled: string[] = [];

const note = async (data: { create(entity: string, values: object): Promise<unknown> }, text: string) => {
  await data.create('j_Note', { text });
};

const steps = async ({ args, signal, progress }: JobContext<{ name?: string }>) => {
  done.push(`begin ${args.name}`);
  progress(1, 3, 'one');
  try {
    const name = args.name ?? '';
    if (!held.has(name)) await sleep({ endless: 600_000, long: 5_000 }[name] ?? 300, undefined, { signal });
    while (held.has(name)) await sleep(10, undefined, { signal });
  } finally {
    done.push(`end ${args.name}`);
  }
  progress(3, 3);
};

/** An application whose jobs write notes. */
export const jobsApplication = defineApplication({
  id: 'j',
  name: 'Jobs',
  entities: [
    standardEntity('j_Note', { attributes: { text: string(100) } }),
    standardEntity('j_Secret', { attributes: { text: string(100) } }),
  ],
  roles: [
    resourceRole('j-keeper', {
      name: 'Keeper of one job',
      policies: ['rest.enabled', 'jobs.read.write', 'jobs.manage.write'].map((name) => specificPolicy(name)),
    }),
    resourceRole('j-notes', {
      name: 'Notes',
      policies: [specificPolicy('rest.enabled'), entityPolicy('j_Note', 'all'), modifyAttributes('j_Note', '*')],
    }),
  ],
  listeners: [
    entityListener({
      entity: 'j_Note',
      async beforeSave({ after }, { data }) {
        if (after?.['text'] === 'queue' || after?.['text'] === 'refused')
          await data.jobs.enqueue('write', { text: 'queued' });
        if (after?.['text'] === 'refused') throw new ValidationError('refused');
        // Half of a surrogate pair is left.
        if (after?.['text'] === 'cut 😀') await data.jobs.enqueue('write', { text: after['text'].slice(0, -1) });
      },
    }),
  ],
  services: [
    service('j_Queue', {
      queue: restMethod(
        {
          params: { job: t.string, args: t.any, key: t.string.optional(), priority: t.int.optional() },
          methods: ['POST'],
        },
        ({ job: name, args, key, priority }, { data }) =>
          data.jobs.enqueue(name, args, { ...(key && { key }), ...(priority && { priority }) }),
      ),
      cancel: restMethod(
        { params: { job: t.string, id: t.string.optional(), key: t.string.optional() }, methods: ['POST'] },
        ({ job: name, id, key }, { data }) => data.jobs.cancel(name, key === undefined ? { id: id ?? '' } : { key }),
      ),
      late: restMethod({ params: { runAt: t.string }, methods: ['POST'] }, ({ runAt }, { data }) =>
        data.jobs.enqueue('write', { text: 'late' }, { runAt: new Date(runAt) }),
      ),
      fail: restMethod({ methods: ['POST'] }, (_parameters, { data }) =>
        data.inTransaction(async (inside) => {
          await inside.jobs.enqueue('write', { text: 'rolled back' });
          throw new ValidationError('no');
        }),
      ),
    }),
  ],
  jobs: [
    job<{ text?: string }>(
      'write',
      { as: { resourceRoles: ['j-notes'] }, retries: 2, overlap: true },
      async ({ args, data }) => {
        await note(data, args.text ?? 'none');
        done.push(`write ${args.text}`);
      },
    ),
    job('as-user', { as: 'writer', retries: 0 }, ({ data }) => note(data, 'by a user')),
    job('too-much', { as: { resourceRoles: ['j-notes'] }, retries: 0 }, ({ data }) => data.loadList('j_Secret')),
    job('refused', { as: { resourceRoles: ['j-notes'] }, retries: 0 }, () => {
      throw new ValidationError('hidden from operators');
    }),
    job('nobody', { as: 'nobody', retries: 0 }, () => {}),
    job('flaky', { as: { resourceRoles: ['j-notes'] }, retries: 1 }, ({ run, log }) => {
      log.info('trying');
      done.push(`flaky ${run.attempt}`);
      if (run.attempt === 1) throw new Error('a secret value');
    }),
    job('slow', { as: { resourceRoles: ['j-notes'] }, retries: 0, timeout: 1 }, async ({ signal }) => {
      await sleep(60_000, undefined, { signal });
    }),
    job('steps', { as: { resourceRoles: ['j-notes'] }, timeout: 60 }, steps),
    job(
      'mixed',
      { as: { resourceRoles: ['j-notes'] }, overlap: true, retries: 2 },
      (context: JobContext<{ name?: string }>) => (context.args.name === undefined ? undefined : steps(context)),
    ),
    job('pair', { as: { resourceRoles: ['j-notes'] } }, ({ data, run, progress, signal }) =>
      data.inTransaction(async (inside) => {
        await note(inside, 'first');
        progress(1, 2);
        if (run.attempt === 1) await sleep(60_000, undefined, { signal });
        await note(inside, 'second');
      }),
    ),
    job('traced', { as: { resourceRoles: ['j-notes'] } }, () => void done.push(`trace ${currentTraceId()}`)),
    job('once', { as: { resourceRoles: ['j-notes'] }, retries: 0 }, steps),
    job('skipped', { as: { resourceRoles: ['j-notes'] }, schedule: '30 2 * * *', missed: 'skip' }, () => {
      scheduled.push('skipped');
    }),
    job('nightly', { as: { resourceRoles: ['j-notes'] }, schedule: '30 2 * * *', timeZone: 'Europe/Berlin' }, () => {
      scheduled.push('nightly');
    }),
  ],
});
