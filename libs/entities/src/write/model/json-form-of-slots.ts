import type { JsonPath } from './json-path.ts';
import type { StoredEntity } from './stored-entity.ts';

/** The JSON form of an instance whose values are in the order of the entity's paths. */
export interface JsonForm {
  /** The attributes that are stored in columns, all null: copied, so that all forms of an entity have one hidden class. */
  readonly empty: Readonly<Record<string, unknown>>;
  /** The positions of the values in the form, in the order of the paths. */
  readonly paths: readonly JsonPath[];
}

export function describeJsonForm(layout: StoredEntity): JsonForm {
  const names = new Set([...layout.slots.keys()].map((path) => layout.jsonPathOf(path).attribute));
  const text = `{${[...names].map((name) => `${JSON.stringify(name)}:null`).join(',')}}`;
  return {
    // Objects of the JSON parser have a hidden class, however many members there are.
    empty: JSON.parse(text) as JsonForm['empty'],
    paths: layout.paths.list.map((path) => layout.jsonPathOf(path)),
  };
}
