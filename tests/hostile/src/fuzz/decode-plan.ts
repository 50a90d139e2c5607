import type { HttpRequest } from '../client/send-request.ts';
import { ROOTS, shapeOf } from './example-model.ts';
import { GeneReader, type Genes } from './genes.ts';

const MAX_NODES = 500;
const MAX_DEPTH = 40;
const PAGES = [1, 10, 100, 1_000, 10_000];

/** A search with a plan of its own: nested, with names that are used again, within the limits of its size. */
export function decodePlan(genes: Genes): HttpRequest {
  const reader = new GeneReader(genes);
  const entity = reader.oneOf(ROOTS);
  const limit = reader.oneOf(PAGES);
  const names = new Map<string, string[]>();
  let nodes = 1;
  const level = (of: string, depth: number): object => {
    const { references, texts, numbers } = shapeOf(of);
    const name = `p${nodes}`;
    const count = 1 + reader.below(4);
    const properties: unknown[] = [...texts, ...numbers].slice(0, reader.below(4));
    for (let at = 0; at < count && nodes < MAX_NODES && depth < MAX_DEPTH && !reader.isEmpty; at += 1) {
      const reference = reader.oneOf(['', ...Object.keys(references)]);
      const target = references[reference];
      if (target === undefined) continue;
      nodes += 1;
      const known = names.get(target) ?? [];
      const isNamed = known.length > 0 && reader.below(3) === 0;
      properties.push({ name: reference, fetchPlan: isNamed ? reader.oneOf(known) : level(target, depth + 1) });
    }
    names.set(of, [...(names.get(of) ?? []), name]);
    return { name, properties };
  };
  const fetchPlan = { entity, ...level(entity, 1) };
  return { method: 'POST', path: `/rest/entities/${entity}/search`, body: { filter: {}, fetchPlan, limit } };
}
