/** Numbers that a request is decoded from: whatever they are, the request has the form of the API. */
export type Genes = readonly number[];

/** Greatest gene. */
export const GREATEST_GENE = 65_535;

/** Reads genes one after the other; after the last one every choice is the first. */
export class GeneReader {
  private readonly genes: Genes;
  private at = 0;

  constructor(genes: Genes) {
    this.genes = genes;
  }

  /** Whether all genes have been read. */
  get isEmpty(): boolean {
    return this.at >= this.genes.length;
  }

  /** A number below `bound`. */
  below(bound: number): number {
    const gene = this.genes[this.at] ?? 0;
    this.at += 1;
    return gene % bound;
  }

  oneOf<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  /** A number up to `bound`, of which small ones are as probable as large ones. */
  size(bound: number): number {
    return Math.min(bound, Math.floor(bound ** (this.below(GREATEST_GENE + 1) / GREATEST_GENE)));
  }
}

/** Random numbers below 1, the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Genes that differ a little: one replaced, a part repeated, removed, or taken from another. */
export function mutate(genes: Genes, other: Genes, random: () => number, maxLength: number): Genes {
  const at = Math.floor(random() * (genes.length + 1));
  const length = 1 + Math.floor(random() * 8);
  const part = genes.slice(at, at + length);
  const changed = (): Genes => {
    switch (Math.floor(random() * 5)) {
      case 0:
        return genes.with(Math.min(at, genes.length - 1), Math.floor(random() * (GREATEST_GENE + 1)));
      case 1:
        return [...genes.slice(0, at), ...part, ...genes.slice(at)];
      case 2:
        return [...genes.slice(0, at), ...genes.slice(at + length)];
      case 3:
        return [...genes.slice(0, at), ...other.slice(Math.floor(random() * other.length))];
      default:
        return [...genes.slice(0, at), ...Array.from({ length }, () => Math.floor(random() * (GREATEST_GENE + 1)))];
    }
  };
  const result = changed().slice(0, maxLength);
  return result.length === 0 ? genes : result;
}
