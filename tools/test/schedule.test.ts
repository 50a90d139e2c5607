import { runStages } from './schedule.mjs';

const PASSED = { passed: 1, failed: 0, output: '' };

/** Runs stages whose work ends when the test says so; `events` is what happened, in its order. */
function startRun(workers: number, provide: (needs: readonly string[]) => Promise<object> = async () => ({})) {
  const events: string[] = [];
  const ends = new Map<string, () => void>();
  const settled = Promise.withResolvers<void>();
  const stage = (title: string, more: object = {}) => ({
    title,
    work: () => new Promise((resolve) => ends.set(title, () => resolve(PASSED))),
    ...more,
  });
  return {
    events,
    stage,
    settle: settled.resolve,
    run: (stages: readonly object[]) =>
      runStages(stages as never, {
        workers,
        provide: provide as never,
        settled: settled.promise,
        onStart: ({ title }) => events.push(`+${title}`),
        onEnd: ({ title, failed }) => events.push(failed === 0 ? `-${title}` : `!${title}`),
      }),
    /** Ends a stage and waits until everything that follows has happened. */
    async end(title: string) {
      await idle();
      ends.get(title)?.();
      await idle();
    },
  };
}

const idle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('as many stages run as workers are allowed, in the order of the list, each after those it follows', async () => {
  const { stage, run, end, events, settle } = startRun(2);
  const build = stage('build');
  settle();
  const ended = run([build, stage('types', { after: [build] }), stage('lint'), stage('unit', { after: [build] })]);
  for (const title of ['lint', 'build', 'types', 'unit']) await end(title);
  expect((await ended).map(({ title }) => title)).toEqual(['build', 'types', 'lint', 'unit']);
  expect(events).toEqual(['+build', '+lint', '-lint', '-build', '+types', '+unit', '-types', '-unit']);
});

test('a stage waits for its backends and holds up no other; one whose backends cannot be had fails alone', async () => {
  const s3 = Promise.withResolvers<object>();
  const { stage, run, end, events, settle } = startRun(1, async ([need]) => {
    if (need === 'helm') throw new Error('helm cannot be had: install Go');
    return need === 's3' ? s3.promise : {};
  });
  settle();
  let given: unknown;
  const files = {
    title: 'files',
    needs: ['s3'],
    work: async (environment: unknown) => {
      given = environment;
      return PASSED;
    },
  };
  const ended = run([files, stage('chart', { needs: ['helm'] }), stage('unit')]);
  await end('unit');
  s3.resolve({ LINTEL_TEST_S3_URL: 'http://localhost' });
  const results = await ended;
  expect(events.toSorted()).toEqual(['!chart', '+chart', '+files', '+unit', '-files', '-unit']);
  expect(events.indexOf('-unit')).toBeLessThan(events.indexOf('+files'));
  expect(results[1]).toMatchObject({ passed: 0, failed: 1, output: 'helm cannot be had: install Go' });
  expect(given).toEqual({ LINTEL_TEST_S3_URL: 'http://localhost' });
});

test('a stage with two workers waits until both are free; stages with one go first', async () => {
  const { stage, run, end, events, settle } = startRun(2);
  settle();
  const ended = run([stage('one'), stage('wide', { workers: 2 }), stage('two'), stage('wider', { workers: 3 })]);
  for (const title of ['one', 'two', 'wide', 'wider']) await end(title);
  await ended;
  expect(events).toEqual(['+one', '+two', '-one', '-two', '+wide', '-wide', '+wider', '-wider']);
});

test('a stage that measures runs when all others have ended and nothing is being provided', async () => {
  const { stage, run, end, events, settle } = startRun(2);
  const ended = run([stage('measured', { alone: true }), stage('one'), stage('two'), stage('other', { alone: true })]);
  await end('one');
  await end('two');
  expect(events).toEqual(['+one', '+two', '-one', '-two']);
  settle();
  await end('measured');
  await end('other');
  await ended;
  expect(events.slice(4)).toEqual(['+measured', '-measured', '+other', '-other']);
});

test('a stage that throws has failed, with the error as its output', async () => {
  const { run, settle } = startRun(1);
  settle();
  const broken = {
    title: 'broken',
    work: async () => {
      throw new Error('no such port');
    },
  };
  const [result] = await run([broken]);
  expect(result).toMatchObject({ passed: 0, failed: 1, output: expect.stringContaining('Error: no such port') });
});
