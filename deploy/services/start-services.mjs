/**
 * Runs the five services as processes of their own, against the backends that the environment names:
 * `npm run services`. Prints a line that begins with `ready` when the gateway responds; ends with 0 after
 * Ctrl-C or SIGTERM, and with 1 when a service cannot be started. One that dies later is started again. With `node --conditions=lintel-source` the
 * sources are run, without a build.
 */
import { ConfigurationError } from '@lintel/config';
import { assertPortsFree } from './assert-ports-free.mjs';
import { explainProblems } from './explain-problems.mjs';
import { planProcesses } from './plan-processes.mjs';
import { SupervisedService } from './supervised-service.mjs';

/** Who is stopped together: callers first, so that no stopped service is called. */
const STOP_ORDER = [['gateway'], ['reports', 'files'], ['data'], ['auth']];
/** Ctrl-C reaches us twice, from the terminal and from npm; later ones mean it. */
const SAME_SIGNAL_MS = 1_000;
const REPORT_WAITING_MS = 5_000;

const startedAt = Number(process.env.LINTEL_STARTED_AT || Date.now());
const say = (text) => process.stdout.write(`${text}\n`);

let stopping;
let stoppingSince = 0;
let waiting;

async function main() {
  const plan = await planProcesses(process.env);
  await assertPortsFree(plan.listeners);
  say(plan.summary);
  const processes = plan.services.map((service) => new SupervisedService(service, say));
  const stop = (code) => {
    stoppingSince = Date.now();
    stopping ??= stopAll(processes).then((failed) => {
      clearInterval(waiting);
      process.exitCode = failed.length > 0 ? 1 : code;
      if (failed.length > 0) process.stderr.write(`${failed.join(', ')} did not stop cleanly\n`);
    });
    return stopping;
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => onSignal(processes, stop));

  for (const service of processes) {
    service.start();
    service.ended.then((how) => {
      if (stopping !== undefined) return;
      process.stderr.write(`${service.name} ${how}; stopping the others. Its last lines say why.\n`);
      stop(1);
    });
  }
  waiting = setInterval(() => {
    const late = processes.filter(({ isReady }) => !isReady).map((service) => `${service.name} (${service.state})`);
    say(`waiting for ${late.join(', ')}`);
  }, REPORT_WAITING_MS);
  await Promise.race([
    Promise.all(processes.map((service) => service.whenReady())),
    ...processes.map(({ ended }) => ended),
  ]);
  clearInterval(waiting);
  if (stopping !== undefined || processes.some(({ isReady }) => !isReady)) return;
  for (const service of processes) say(`  ${service.name.padEnd(7)} ${service.summary}`);
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  say(`ready in ${seconds} s at ${plan.gatewayUrl} (Ctrl-C stops)`);
}

function onSignal(processes, stop) {
  if (stopping === undefined) {
    say('stopping');
    stop(0);
  } else if (Date.now() - stoppingSince > SAME_SIGNAL_MS) {
    for (const service of processes) service.kill();
    process.exit(130);
  }
}

/** Stops all in order; returns the names of those that did not end by themselves with code 0. */
async function stopAll(processes) {
  const wasRunning = processes.filter(({ isRunning }) => isRunning);
  for (const names of STOP_ORDER) {
    await Promise.all(processes.filter(({ name }) => names.includes(name)).map((service) => service.stop()));
  }
  return wasRunning.filter(({ endedCleanly }) => !endedCleanly).map(({ name }) => name);
}

main().catch((error) => {
  process.stderr.write(`${error instanceof ConfigurationError ? explainProblems(error.problems) : error.stack}\n`);
  process.exit(1);
});
