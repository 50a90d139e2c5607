import type { ExactObject } from '@lintel/query';

/** Turns the JSON of one instance into that of another version of the model. Numbers are `ExactNumber`. */
export type JsonTransformer = (object: ExactObject) => Readonly<Record<string, unknown>>;

/** One way of a transformation. */
export interface TransformationSteps {
  /** Attribute names in the input → in the output. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Removed after the renaming: names as they go. */
  readonly removed: ReadonlySet<string>;
  /** Replaces all other steps. */
  readonly custom: JsonTransformer | undefined;
}

/**
 * How the JSON of one entity differs in one earlier version of the model (contract/model-versions.md#model-versions).
 */
export interface Transformation {
  /** The value of the parameter `modelVersion` in requests. */
  readonly modelVersion: string;
  /** Name of the entity in the current model. */
  readonly currentName: string;
  /** Name of the entity in that version; the current one if it has not changed. */
  readonly oldName: string;
  /** From the client's version to the current model. */
  readonly fromVersion: TransformationSteps;
  /** From the current model to the client's version. */
  readonly toVersion: TransformationSteps;
}
