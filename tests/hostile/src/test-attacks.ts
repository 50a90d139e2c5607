import type { Attack } from './attacks/attack.ts';
import { judgeAttack, type Problem } from './judge-attack.ts';
import { type Probe, startProbe } from './probe/start-probe.ts';
import { type AttackResult, createSessions, runAttack, type Sessions } from './run-attack.ts';
import { type Figures, figuresOf, publish, rowOf, tableOf } from './show-figures.ts';
import { type HostileSystem, type Mode, startHostileSystem } from './system/start-hostile-system.ts';

/** A request that costs too much does so each time; a machine that stands still does not. */
const ATTEMPTS = 3;
/** The probe itself does nothing that takes so long. */
const STANDSTILL_MS = 500;

/** Other tests and other programs run at the same time: only `LINTEL_HOSTILE_STRICT=true` asks for the exact times. */
const BUSY_TIME_FACTOR = process.env['LINTEL_HOSTILE_STRICT'] === 'true' ? 1 : 4;

interface Running {
  readonly system: HostileSystem;
  readonly probe: Probe;
  readonly sessions: Sessions;
}

async function start(mode: Mode): Promise<Running> {
  const system = await startHostileSystem(mode);
  const probe = await startProbe({
    url: system.url,
    sockets: system.sockets,
    postmasterPid: system.postmasterPid,
    user: 'auditor',
    intervalMs: 20,
  });
  return { system, probe, sessions: createSessions(system.url) };
}

const stop = async ({ system, probe }: Running): Promise<void> => {
  await probe.close();
  await system.stop();
};

/** Whether the machine may be the reason of all that is wrong. */
const isOfMachine = (problems: readonly Problem[], { report }: AttackResult): boolean =>
  report.ownBlockMs > STANDSTILL_MS || problems.every(({ isTime }) => isTime);

/**
 * One test for each attack; one that may have failed by a machine that stood still is carried out again. An attack that ends or blocks a process fails; the attacks after it get a new system.
 *
 * @param timeFactor times may be that much longer than the bounds
 */
export function testAttacks(mode: Mode, attacks: readonly Attack[], timeFactor: number): void {
  let running: Running | undefined;
  const figures: Figures[] = [];
  beforeAll(async () => {
    running = await start(mode);
  }, 240_000);
  afterAll(async () => {
    publish(`Attacks, ${mode}, times within ${timeFactor} x the bounds`, tableOf(figures));
    if (running !== undefined) await stop(running);
  });
  const alive = async (): Promise<Running> => {
    if (running !== undefined && (await running.system.isResponsive())) return running;
    if (running !== undefined) await stop(running);
    running = await start(mode);
    return running;
  };

  test.each(attacks)(
    '$finding: $title',
    async (attack) => {
      const carryOut = async (attemptsLeft: number): Promise<Figures> => {
        const { system, probe, sessions } = await alive();
        const result = await runAttack(attack, system, sessions, probe);
        const problems = judgeAttack(attack, result, timeFactor);
        const row = figuresOf(
          attack,
          result,
          problems.map(({ what }) => what),
        );
        process.stdout.write(`${rowOf(row)}\n`);
        const isOver = problems.length === 0 || attemptsLeft === 0 || !isOfMachine(problems, result);
        return isOver ? row : carryOut(attemptsLeft - 1);
      };
      const row = await carryOut(ATTEMPTS - 1);
      figures.push(row);
      expect(row.problems).toEqual([]);
    },
    600_000,
  );
}

/** One test for each attack that takes seconds, against one process on a machine that does other work as well. */
export const testShortAttacks = (attacks: readonly Attack[]): void =>
  testAttacks(
    'one process',
    attacks.filter(({ isLong }) => isLong !== true),
    BUSY_TIME_FACTOR,
  );
