import type { Entity } from '@lintel/metadata';
import { type ExactJson, resolveEntity } from '@lintel/query';
import { mapInSlices } from '../slices/map-in-slices.ts';
import { assertAllowed } from './authorize/assert-allowed.ts';
import { dropDenied } from './authorize/drop-denied.ts';
import type { SaveItem } from './merge/build-graph.ts';
import { assertDistinct } from './parse/assert-distinct.ts';
import { assertConcrete } from './parse/assert-entity.ts';
import { cannotDeserialize, type ParseMode } from './parse/deserialization-error.ts';
import type { InstanceInput } from './parse/instance-input.ts';
import { parseCreateBody } from './parse/parse-body.ts';
import { parseInSlices } from './parse/parse-in-slices.ts';
import { parseInstance } from './parse/parse-instance.ts';
import { isLarge, type WriteCall } from './write-call.ts';

/** The body of a create, for an entity that the caller may create. */
export interface CreateBody {
  readonly entity: Entity;
  readonly isBatch: boolean;
  readonly list: readonly ExactJson[];
}

/** Parses the JSON and checks the right to create: a large body is parsed only for callers who have it. */
export async function receiveCreate(call: WriteCall): Promise<CreateBody> {
  const authorize = (): Entity => {
    const named = resolveEntity(call.model, call.request.entityName);
    assertAllowed(call.access, named, 'create');
    return named;
  };
  if (isLarge(call)) authorize();
  const body = await parseCreateBody(call.request.body);
  const entity = authorize();
  const isBatch = Array.isArray(body);
  return { entity, isBatch, list: (isBatch ? body : [body]) as readonly ExactJson[] };
}

/** Keys that no URL names: `/entities/{entity}/search` is a search, and clients resolve the others as parts of a path. */
const UNREACHABLE: readonly unknown[] = ['', '.', '..', 'search'];

/** @throws PlatformError REQ_CANNOT_DESERIALIZE for a new root that could be neither read nor changed by its URL */
function assertReachable({ entity, key, path }: InstanceInput): void {
  if (key?.length !== 1 || !UNREACHABLE.includes(key[0])) return;
  const at = [path, entity.key?.attribute ?? 'id'].filter((part) => part !== '').join('.');
  throw cannotDeserialize(`Attribute '${at}' must not be '${String(key[0])}': no URL could name the instance`);
}

/** An instance of a body. */
export interface SentElement {
  readonly json: ExactJson;
  /** Path from the sent root. */
  readonly path: string;
}

/** The instances of the body. */
export const elementsOf = ({ isBatch, list }: Pick<CreateBody, 'isBatch' | 'list'>): readonly SentElement[] =>
  list.map((json, index) => ({ json, path: isBatch ? `entities[${index}]` : '' }));

/**
 * Parses each instance, checks the right to create its entity, and omits the attributes that the caller may not set.
 */
export async function parseCreates(
  call: WriteCall,
  entity: Entity,
  elements: readonly SentElement[],
  mode: ParseMode,
): Promise<readonly SaveItem[]> {
  const { model, writeModel, access, deps } = call;
  const context = {
    model,
    mode,
    readsVersion: false,
    tokens: deps.read.tokens,
    access,
    unknown: call.unknown,
    times: call.times,
  } as const;
  const parsed = await parseInSlices(context, isLarge(call), (within) =>
    elements.map(({ json, path }) => {
      const input = parseInstance(within, entity, json, path);
      assertConcrete(input.entity, input.path);
      assertAllowed(access, input.entity, 'create');
      assertReachable(input);
      return input;
    }),
  );
  const inputs = await mapInSlices(parsed, (input) => dropDenied(writeModel, input, access, call.unknown));
  assertDistinct(inputs.flatMap(({ key }) => (key === undefined ? [] : [key])));
  return inputs.map((input) => ({ input, stored: undefined }));
}
