/** Rows for demonstration, loaded once into an empty database when demo mode is on. */
export interface DemoData {
  /**
   * Instances in dependency order, in the JSON form of the entity API. To-one references are
   * `{ "id": … }`; compositions are nested. `sec_User.password` is given in clear text and stored as a hash.
   * A getter may create them: a service reads them only where it loads or checks them.
   */
  readonly instances: readonly { readonly entity: string; readonly values: Readonly<Record<string, unknown>> }[];
  /**
   * Whether the listeners of the application run: `beforeSave`, which may set values, and `afterSave`. All instances are
   * written together, so `beforeSave` reads none of them. By default they do not run: the data is stored as it is
   * written here. `afterCommit` and the listeners of the platform never run.
   */
  readonly runListeners?: boolean;
}
