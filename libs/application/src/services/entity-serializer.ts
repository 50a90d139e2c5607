/** What the JSON of instances contains. */
export interface SerializeOptions {
  /** Leaves out what the caller may not view: attributes, and references to entities that may not be read. */
  readonly skipDenied?: boolean;
  /** Writes `_instanceName`. Default true. */
  readonly instanceNames?: boolean;
}

/** Writes instances in the JSON of the entity API. */
export interface EntitySerializer {
  /**
   * JSON text of an instance or a list of them, `null` for one that is not there. Secret attributes are never in it.
   *
   * @param entity the entity that the instances are of; `_entityName` of an instance may name a descendant
   */
  toJson(entity: string, value: unknown, options?: SerializeOptions): string;
}
