import { fc, SEED } from '@lintel/testkit/properties';
import type { HttpRequest } from './src/client/send-request.ts';
import { climb, type Scored } from './src/fuzz/climb.ts';
import { decodeBody } from './src/fuzz/decode-body.ts';
import { decodeFilter } from './src/fuzz/decode-filter.ts';
import { decodeGraph, GRAPH_NOTE } from './src/fuzz/decode-graph.ts';
import { decodePlan } from './src/fuzz/decode-plan.ts';
import { type Genes, GREATEST_GENE } from './src/fuzz/genes.ts';
import { type Cost, countRows, measureCost, scoreOf } from './src/fuzz/measure-cost.ts';
import { type Probe, startProbe } from './src/probe/start-probe.ts';
import { createAttacker, createSessions } from './src/run-attack.ts';
import { publish } from './src/show-figures.ts';
import { type HostileSystem, startHostileSystem } from './src/system/start-hostile-system.ts';

/** Of all kinds together. */
const CASES = Number(process.env['LINTEL_HOSTILE_CASES'] ?? 10_000);
const WORST = 10;
/** A machine that does other work makes a request dear by chance: the dearest are sent again, and the cheapest counts. */
const REPEATS = 3;
const CLEAN_UP_EVERY = 100;
const MEBIBYTE = 1024 * 1024;
const STATUSES: readonly Cost['status'][] = [200, 201, 204, 400, 403, 404, 409, 413, 422, 429];

/**
 * How the cases are divided: a plan or a graph at the limits keeps PostgreSQL busy for up to three seconds, a filter or a
 * body for milliseconds, and the climb needs many cases of each.
 */
const KINDS: readonly (readonly [cases: number, kind: string, decode: (genes: Genes) => HttpRequest])[] = [
  [Math.round(0.06 * CASES), 'plans', decodePlan],
  [Math.round(0.45 * CASES), 'filters', decodeFilter],
  [Math.round(0.06 * CASES), 'graphs', decodeGraph],
  [Math.round(0.43 * CASES), 'bodies', decodeBody],
];

let system: HostileSystem;
let probe: Probe;

beforeAll(async () => {
  system = await startHostileSystem('one process');
  probe = await startProbe({
    url: system.url,
    sockets: system.sockets,
    postmasterPid: system.postmasterPid,
    user: 'auditor',
    intervalMs: 500,
  });
}, 240_000);
afterAll(async () => {
  await probe.close();
  await system.stop();
});

async function cleanUp(): Promise<void> {
  const orders = `SELECT id FROM sales."order" WHERE notes LIKE '${GRAPH_NOTE}%'`;
  const lines = `SELECT id FROM sales.order_line WHERE order_id IN (${orders})`;
  await system.query(`DELETE FROM sales.line_discount WHERE line_id IN (${lines})`);
  await system.query(`DELETE FROM sales.order_line WHERE order_id IN (${orders})`);
  await system.query(`DELETE FROM sales."order" WHERE notes LIKE '${GRAPH_NOTE}%' AND number LIKE 'G%'`);
}

interface Dear extends Scored<Cost> {
  readonly request: HttpRequest;
  readonly rows: number;
}

const shorten = ({ method, path, body }: HttpRequest): string => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return `${method} ${path} ${text.length} bytes ${text.replaceAll('|', '\\|').slice(0, 300)}`;
};

const tableOf = (worst: readonly Dear[]): string =>
  [
    '| score | status | ms | block ms | backend MB | rows read | response KB | request |',
    '|---|---|---|---|---|---|---|---|',
    ...worst.map(({ score, result: { status, ms, blockMs, backendBytes, byteCount }, rows, request }) =>
      [
        `| ${score.toFixed(2)} | ${status} | ${Math.round(ms)} | ${Math.round(blockMs)}`,
        `${Math.round(backendBytes / MEBIBYTE)} | ${rows} | ${Math.round(byteCount / 1024)} | ${shorten(request)} |`,
      ].join(' | '),
    ),
  ].join('\n');

test.each(KINDS)(
  `%d %s under the limits of their size: the dearest keep to the bounds (LINTEL_PROPERTY_SEED=${SEED})`,
  async (cases, kind, decode) => {
    const { attacker, close } = await createAttacker('manager', system, createSessions(system.url));
    const genes = fc.array(fc.nat(GREATEST_GENE), { minLength: 4, maxLength: 200, size: 'max' });
    const wrong = new Set<string>();
    let count = 0;
    const measure = async (request: HttpRequest): Promise<Cost> => {
      const cost = await measureCost(system, attacker, request);
      count += 1;
      if (!STATUSES.includes(cost.status)) wrong.add(`${cost.status} ${cost.text}: ${shorten(request)}`);
      if (kind === 'graphs' && count % CLEAN_UP_EVERY === 0) await cleanUp();
      return cost;
    };
    const { result: elite, report } = await probe.during(() =>
      climb({
        fresh: fc.sample(genes, { numRuns: cases, seed: SEED }).values(),
        decode,
        measure,
        scoreOf,
        cases,
        seed: SEED,
      }),
    );
    const worst: Dear[] = [];
    for (const { genes: dear } of elite.slice(0, WORST)) {
      const costs: Cost[] = [];
      // Numbers of orders are unique: each time it is decoded anew.
      for (let repeat = 0; repeat < REPEATS; repeat += 1) costs.push(await measure(decode(dear)));
      const result = costs.toSorted((a, b) => scoreOf(a) - scoreOf(b))[0] as Cost;
      const request = decode(dear);
      worst.push({
        genes: dear,
        score: scoreOf(result),
        result,
        request,
        rows: await countRows(system, attacker, request),
      });
    }
    if (kind === 'graphs') await cleanUp();
    close();
    publish(
      `The ${WORST} dearest of ${cases} ${kind}, seed ${SEED}`,
      tableOf(worst.toSorted((a, b) => b.score - a.score)),
    );
    expect([...wrong]).toEqual([]);
    expect(report.interventions).toEqual([]);
    expect(report.isDatabaseAlive && system.isComplete()).toBe(true);
    expect(worst.filter(({ score }) => score >= 1).map(({ request }) => shorten(request))).toEqual([]);
  },
  7_200_000,
);
