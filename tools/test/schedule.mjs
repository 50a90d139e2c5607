/**
 * @typedef {import('./stages.mjs').StageResult} StageResult
 *
 * @typedef {object} Stage
 * @property {string} title
 * @property {readonly Stage[]} [after] stages that must have ended, well or badly
 * @property {readonly string[]} [needs] backends that must be there
 * @property {number} [workers] processes of its own that work at the same time; one by default
 * @property {boolean} [alone] whether nothing may run at the same time, compilations included: it measures
 * @property {(environment: Record<string, string>) => Promise<StageResult>} work gets the variables of the backends
 *
 * @typedef {Stage & StageResult & { seconds: number }} EndedStage
 */

/**
 * Runs stages concurrently, up to the allowed number of workers. Of the stages that may start, the first in the list
 * does. A stage that waits for its backends blocks no other; where a backend is not available, only this stage fails.
 *
 * @param {readonly Stage[]} stages
 * @param {{
 *   workers: number,
 *   provide: (backends: readonly string[]) => Promise<Record<string, string>>,
 *   settled: Promise<void>,
 *   onStart: (stage: Stage) => void,
 *   onEnd: (stage: EndedStage) => void,
 * }} options `provide` returns the variables of backends; `settled` resolves when no backend is being provided any more
 * @returns {Promise<readonly EndedStage[]>} in the order of the list
 */
export async function runStages(stages, { workers, provide, settled, onStart, onEnd }) {
  const waiting = new Set(stages);
  const ended = new Map();
  /** The variables of the stages whose backends are there, and the error of those whose backends cannot be had. */
  const prepared = new Map();
  let running = 0;
  let isQuiet = false;
  const all = Promise.withResolvers();

  const workersOf = (stage) => (stage.alone ? workers : Math.min(stage.workers ?? 1, workers));
  const mayStart = (stage) =>
    prepared.has(stage) &&
    (stage.after ?? []).every((other) => ended.has(other)) &&
    running + workersOf(stage) <= workers &&
    (!stage.alone || (isQuiet && ![...waiting].some((other) => !other.alone)));

  const next = () => {
    const stage = [...waiting].find(mayStart);
    if (stage !== undefined) return start(stage);
    if (waiting.size === 0 && running === 0) all.resolve();
  };

  const start = (stage) => {
    waiting.delete(stage);
    running += workersOf(stage);
    onStart(stage);
    runStage(stage, prepared.get(stage)).then((result) => {
      running -= workersOf(stage);
      ended.set(stage, result);
      onEnd(result);
      next();
    });
    next();
  };

  for (const stage of stages)
    provide(stage.needs ?? []).then(
      (environment) => {
        prepared.set(stage, { environment });
        next();
      },
      (error) => {
        prepared.set(stage, { error });
        next();
      },
    );
  settled.then(() => {
    isQuiet = true;
    next();
  });
  await all.promise;
  return stages.map((stage) => ended.get(stage));
}

async function runStage(stage, { environment, error }) {
  const begin = Date.now();
  let result;
  try {
    if (error !== undefined) throw error;
    result = await stage.work(environment);
  } catch (problem) {
    const output = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
    result = { passed: 0, failed: 1, output: problem === error ? problem.message : output };
  }
  return { ...stage, ...result, seconds: (Date.now() - begin) / 1000 };
}
