import type { HttpRequest } from '../client/send-request.ts';
import { ROOTS, shapeOf } from './example-model.ts';
import { GeneReader, type Genes } from './genes.ts';

const MAX_CONDITIONS = 1_000;
const MAX_HOPS = 12;
const MAX_VALUES = 10_000;
const MAX_GROUP = 40;
const TEXT_OPERATORS = ['contains', 'doesNotContain', 'startsWith', 'endsWith', '=', '<>', 'in', 'notIn', 'isNull'];
const NUMBER_OPERATORS = ['=', '<>', '>', '<=', 'in', 'notIn', 'notEmpty'];
const VALUES = ['a', 'e', 'no such value', '%', '_%_%_%_%', 'Ä', ''];

/** A search, or its count, whose filter has groups and paths through collections, within the limits of its size. */
export function decodeFilter(genes: Genes): HttpRequest {
  const reader = new GeneReader(genes);
  const entity = reader.oneOf(ROOTS);
  const isCount = reader.below(3) === 0;
  const sorted = reader.below(4) === 0 ? { sort: pathFrom(entity, reader, 3).path } : {};
  let conditions = 0;
  const one = (): object => {
    conditions += 1;
    const { path, isText } = pathFrom(entity, reader, MAX_HOPS);
    const operator = reader.oneOf(isText ? TEXT_OPERATORS : NUMBER_OPERATORS);
    return { property: path, operator, value: valueFor(operator, isText, reader) };
  };
  const group = (depth: number): object[] => {
    const count = 1 + reader.size(MAX_GROUP);
    const members: object[] = [];
    for (let at = 0; at < count && conditions < MAX_CONDITIONS; at += 1) {
      if (reader.isEmpty && at > 0 && members[0] !== undefined) break;
      members.push(
        depth < 6 && reader.below(4) === 0
          ? { group: reader.oneOf(['AND', 'OR']), conditions: group(depth + 1) }
          : one(),
      );
    }
    return members;
  };
  const body = { filter: { conditions: group(1) }, ...(isCount ? {} : { limit: reader.oneOf([1, 50]), ...sorted }) };
  return { method: 'POST', path: `/rest/entities/${entity}/search${isCount ? '/count' : ''}`, body };
}

function pathFrom(
  entity: string,
  reader: GeneReader,
  maxHops: number,
): { readonly path: string; readonly isText: boolean } {
  const names: string[] = [];
  let current = entity;
  const hops = reader.below(maxHops + 1);
  for (let at = 0; at < hops; at += 1) {
    const { references } = shapeOf(current);
    const choices = Object.keys(references);
    if (choices.length === 0) break;
    const name = reader.oneOf(choices);
    names.push(name);
    current = references[name] as string;
  }
  const { texts, numbers } = shapeOf(current);
  const last = reader.oneOf([...texts, ...numbers]);
  return { path: [...names, last].join('.'), isText: texts.includes(last) };
}

function valueFor(operator: string, isText: boolean, reader: GeneReader): unknown {
  const single = (at: number): unknown => (isText ? `${VALUES[at % VALUES.length]}${at}` : at);
  if (operator === 'isNull' || operator === 'notEmpty') return reader.below(2) === 0;
  if (operator === 'in' || operator === 'notIn')
    return Array.from({ length: 1 + reader.size(MAX_VALUES - 1) }, (_, at) => single(at));
  return isText ? reader.oneOf(VALUES) : reader.below(1_000);
}
