import { type ExactJson, type ExactObject, isExactObject } from '@lintel/query';
import type { Transformation, TransformationSteps } from './transformation.ts';

/** An earlier version of the model, for clients that support no newer one. */
export interface JsonVersion {
  /** The entity that the client means by a name; the name itself where it has not changed. */
  currentName(entityName: string): string;
  /**
   * Instances as the client sent them, in the JSON of the current model. Pure.
   *
   * @param entityName current name of the entity that is expected there
   */
  fromClient(entityName: string, json: ExactJson): ExactJson;
  /** Converts instances of the current model to the JSON of that version. Pure. */
  toClient(entityName: string, json: ExactJson): ExactJson;
}

/** A step of the application's own failed. */
export class TransformationError extends Error {
  constructor(entityName: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`${entityName}: ${why}`, { cause });
    this.name = 'TransformationError';
  }
}

/** The versions that transformations describe, by the value of `modelVersion`. */
export function jsonVersions(transformations: readonly Transformation[]): ReadonlyMap<string, JsonVersion> {
  const byVersion = Map.groupBy(transformations, ({ modelVersion }) => modelVersion);
  return new Map([...byVersion].map(([version, all]) => [version, jsonVersion(all)]));
}

interface Direction {
  /** The transformation of instances with this `_entityName`. */
  readonly bySource: ReadonlyMap<string, Transformation>;
  readonly byCurrentName: ReadonlyMap<string, Transformation>;
  readonly sourceOf: (transformation: Transformation) => string;
  readonly targetOf: (transformation: Transformation) => string;
  readonly stepsOf: (transformation: Transformation) => TransformationSteps;
}

function jsonVersion(transformations: readonly Transformation[]): JsonVersion {
  const byOldName = new Map(transformations.map((each) => [each.oldName, each]));
  const byCurrentName = new Map(transformations.map((each) => [each.currentName, each]));
  const from: Direction = {
    bySource: byOldName,
    byCurrentName,
    sourceOf: ({ oldName }) => oldName,
    targetOf: ({ currentName }) => currentName,
    stepsOf: ({ fromVersion }) => fromVersion,
  };
  const to: Direction = {
    bySource: byCurrentName,
    byCurrentName,
    sourceOf: ({ currentName }) => currentName,
    targetOf: ({ oldName }) => oldName,
    stepsOf: ({ toVersion }) => toVersion,
  };
  return {
    currentName: (entityName) => byOldName.get(entityName)?.currentName ?? entityName,
    fromClient: (entityName, json) => convertRoot(from, entityName, json),
    toClient: (entityName, json) => convertRoot(to, entityName, json),
  };
}

/** One instance, or an array of them; any other value is returned unchanged. */
function convertRoot(direction: Direction, currentName: string, json: ExactJson): ExactJson {
  if (Array.isArray(json)) return json.map((item: ExactJson) => convertRoot(direction, currentName, item));
  if (!isExactObject(json)) return json;
  // An instance of a descendant has a transformation of its own, or that of the requested entity.
  const own = ownTransformation(direction, json) ?? direction.byCurrentName.get(currentName);
  return convertObject(direction, own, json);
}

const nameOf = (json: ExactJson): string | undefined =>
  isExactObject(json) && typeof json['_entityName'] === 'string' ? json['_entityName'] : undefined;

const ownTransformation = (direction: Direction, json: ExactJson): Transformation | undefined =>
  direction.bySource.get(nameOf(json) ?? '');

/** The steps of one object in the order of the contract: entity name, renaming, removing, nested ones. */
function convertObject(
  direction: Direction,
  transformation: Transformation | undefined,
  object: ExactObject,
): ExactObject {
  const steps = transformation === undefined ? undefined : direction.stepsOf(transformation);
  if (transformation !== undefined && steps?.custom !== undefined)
    return callCustom(direction.sourceOf(transformation), steps.custom, object);
  const converted = Object.entries(object).flatMap(([name, value]): readonly (readonly [string, ExactJson])[] => {
    const target = steps?.renamed.get(name) ?? name;
    if (steps?.removed.has(target) === true) return [];
    const isName =
      name === '_entityName' && transformation !== undefined && value === direction.sourceOf(transformation);
    return [[target, isName ? direction.targetOf(transformation) : convertNested(direction, value)]];
  });
  // Not by assignment: a member may have any name, `__proto__` too.
  return Object.fromEntries(converted);
}

/** Only objects with an `_entityName` are converted; for an array, its first element decides. */
function convertNested(direction: Direction, value: ExactJson): ExactJson {
  if (Array.isArray(value)) {
    const list = value as readonly ExactJson[];
    return nameOf(list[0] ?? null) === undefined ? value : list.map((item) => convertNested(direction, item));
  }
  if (nameOf(value) === undefined) return value;
  return convertObject(direction, ownTransformation(direction, value), value as ExactObject);
}

function callCustom(entityName: string, transform: NonNullable<TransformationSteps['custom']>, object: ExactObject) {
  try {
    return transform(object) as ExactObject;
  } catch (cause) {
    throw new TransformationError(entityName, cause);
  }
}
