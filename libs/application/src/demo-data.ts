/** Rows for demonstration, loaded once into an empty database when demo mode is on. */
export interface DemoData {
  /**
   * Instances in dependency order, in the JSON form of the entity API. To-one references are
   * `{ "id": … }`; compositions are nested. `sec_User.password` is given in clear text and stored as a hash.
   */
  readonly instances: readonly { readonly entity: string; readonly values: Readonly<Record<string, unknown>> }[];
}
