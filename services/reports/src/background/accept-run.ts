import { callerKeyOf, type Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { ServiceTokenSource } from '../datasets/service-tokens.ts';
import type { BackgroundRun } from '../runs/background-run.ts';
import { prepareRun } from '../runs/preparation/prepare-run.ts';
import type { RunInput, RunPorts } from '../runs/preparation/run-input.ts';
import type { RunStore } from './create-run-store.ts';
import type { RunQueue } from './run-queue.ts';

export interface AcceptRunPorts {
  readonly store: Pick<RunStore, 'add' | 'find'>;
  readonly queue: Pick<RunQueue, 'announce'>;
  readonly serviceTokens: Pick<ServiceTokenSource, 'forLater'>;
  readonly runPorts: RunPorts;
  readonly maxPerUser: number;
}

/**
 * Accepts a run in the background. The request is checked first, with the same errors as for a client that waits. An
 * accepted run is stored in the database and is not lost.
 *
 * @throws REQ_TOO_MANY_REQUESTS where the caller has too many unfinished runs
 */
export async function acceptRun(input: RunInput, principal: Principal, ports: AcceptRunPorts): Promise<BackgroundRun> {
  const { runId, report } = input;
  const { template, release } = await prepareRun(input, ports.runPorts);
  release();
  const { id, code, name } = report.definition;
  const isAdded = await ports.store.add(
    {
      id: runId,
      caller: callerKeyOf(principal),
      sessionId: principal.sessionId,
      report: { id, code, name },
      templateCode: template.definition.code,
      request: input.body,
      locale: input.locale,
      waitingToken: await ports.serviceTokens.forLater(input.subjectToken, runId),
    },
    ports.maxPerUser,
  );
  if (!isAdded)
    throw new PlatformError(
      'REQ_TOO_MANY_REQUESTS',
      `You have ${ports.maxPerUser} report runs that have not ended; wait for one of them or cancel it`,
    );
  await ports.queue.announce([runId]);
  const run = await ports.store.find(runId, callerKeyOf(principal));
  if (run === undefined) throw new Error(`The report run ${runId} is gone`);
  return run;
}
