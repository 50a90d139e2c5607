import { setTimeout as sleep } from 'node:timers/promises';
import { uniqueName } from '@lintel/testkit';
import { createRandom } from '../fault-length.ts';
import type { FaultSystem } from '../system/fault-system.ts';
import { BareWriter } from './bare-writer.ts';
import { checkFiles, checkLedger } from './check-ledger.ts';
import { Complaints } from './complaints.ts';
import { FileUploader } from './file-uploader.ts';
import { InstanceLedger } from './instance-ledger.ts';
import { KeyedWriter } from './keyed-writer.ts';
import { LoadClient } from './load-client.ts';
import { MachinePace } from './machine-pace.ts';
import { Meter } from './meter.ts';
import { RestrictedReader } from './restricted-reader.ts';

/** Between two requests of one caller: the system is busy, not drowned, so that its rate says something. */
const PAUSE_MS = 60;
const EVENTS_WITHIN_MS = 20_000;
const LOGIN_PAUSE_MS = 600;

export interface Load {
  /** Of the names of all that it creates. */
  readonly prefix: string;
  readonly meter: Meter;
  readonly pace: MachinePace;
  readonly complaints: Complaints;
  /** From now on connections may end without a response, until `cutsEnd`: a process is being killed. */
  cutsBegin(): void;
  cutsEnd(): void;
  /** Lets every caller come to the outcome of what it has begun. */
  stop(): Promise<void>;
  /**
   * What is not as promised, in words: compares all that is stored and published with what callers received.
   *
   * @param eventsWithinMs how long events may still be on their way
   */
  check(eventsWithinMs?: number): Promise<readonly string[]>;
}

/** Starts callers of several users, with a ledger of every acknowledged write. */
export function startLoad(system: FaultSystem): Load {
  const [meter, complaints, ledger] = [new Meter(), new Complaints(), new InstanceLedger()];
  const pace = new MachinePace();
  const prefix = uniqueName('load');
  const random = createRandom(1);
  let mayBeCut = false;
  let working = true;
  const clientOf = (username: string): LoadClient =>
    new LoadClient({ url: system.url, username, meter, complaints, mayBeCut: () => mayBeCut });
  const [manager, auditor, clerk] = [clientOf('manager'), clientOf('auditor'), clientOf('clerk')];

  const keyed = (client: LoadClient, name: string, inBatches: boolean): KeyedWriter =>
    new KeyedWriter({ client, ledger, complaints, prefix: `${prefix} ${name}`, random, inBatches });
  const bare = new BareWriter({ client: auditor, ledger, complaints, prefix: `${prefix} bare` });
  const uploader = new FileUploader(manager, ledger, complaints);
  const logIn = {
    async step() {
      await clientOf('viewer').logIn();
      await sleep(LOGIN_PAUSE_MS);
    },
  };
  const workers = [
    keyed(manager, 'first', false),
    keyed(manager, 'second', false),
    keyed(auditor, 'third', false),
    keyed(manager, 'batch', true),
    bare,
    uploader,
    new RestrictedReader(clerk, ledger, complaints, random),
    new RestrictedReader(clerk, ledger, complaints, random),
    logIn,
  ];
  const running = Promise.all(
    workers.map(async (worker) => {
      while (working) {
        await worker.step();
        await sleep(PAUSE_MS);
      }
    }),
  );
  return {
    prefix,
    meter,
    pace,
    complaints,
    cutsBegin: () => {
      mayBeCut = true;
    },
    cutsEnd: () => {
      mayBeCut = false;
    },
    stop: async () => {
      working = false;
      await running;
      await bare.finish();
      pace.stop();
    },
    check: async (eventsWithinMs = EVENTS_WITHIN_MS) => {
      await checkFiles(uploader, ledger, complaints);
      await checkLedger({ system, prefix, ledger, complaints, eventsWithinMs });
      const alive = await manager.send({ method: 'GET', path: '/rest/userInfo' });
      if (alive.kind !== 'done') complaints.add('nobody is served at the end');
      if (ledger.entries.length + ledger.files.size === 0) complaints.add('the load has written nothing');
      return complaints.list();
    },
  };
}
