import type { HttpRequest } from '../client/send-request.ts';
import { createRandom, type Genes, mutate } from './genes.ts';

/** A request that was sent, and its score. */
export interface Scored<Result> {
  readonly genes: Genes;
  readonly score: number;
  readonly result: Result;
}

export interface ClimbOptions<Result> {
  /** Begin of the search, in the order in which they are tried. */
  readonly fresh: Iterator<Genes>;
  readonly decode: (genes: Genes) => HttpRequest;
  readonly measure: (request: HttpRequest) => Promise<Result>;
  readonly scoreOf: (result: Result) => number;
  readonly cases: number;
  readonly seed: number;
}

const ELITE = 20;
const MAX_GENES = 400;
/** The others are mutated from the dearest so far. */
const FRESH_SHARE = 0.3;

/** Looks for the dearest requests: new ones, and the dearest so far with a change. Returns those of the highest score. */
export async function climb<Result>(options: ClimbOptions<Result>): Promise<readonly Scored<Result>[]> {
  const { fresh, decode, measure, scoreOf, cases, seed } = options;
  const random = createRandom(seed);
  let elite: readonly Scored<Result>[] = [];
  const anyOf = (): Genes => elite[Math.floor(random() * elite.length)]?.genes ?? [0];
  for (let at = 0; at < cases; at += 1) {
    const isFresh = elite.length < ELITE || random() < FRESH_SHARE;
    const next = isFresh ? fresh.next() : undefined;
    const genes = next === undefined || next.done === true ? mutate(anyOf(), anyOf(), random, MAX_GENES) : next.value;
    const result = await measure(decode(genes));
    elite = [...elite, { genes, score: scoreOf(result), result }].toSorted((a, b) => b.score - a.score).slice(0, ELITE);
  }
  return elite;
}
