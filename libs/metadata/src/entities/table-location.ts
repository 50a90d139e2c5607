/** Where the rows are, if the name of the table is not derived from the model. */
export interface TableLocation {
  /** The schema of the database. */
  readonly schema: string;
  /** The name of the table, as the catalogue has it. */
  readonly name: string;
  /**
   * Migrations of the application create and change the table. Otherwise it belongs to another owner: its keys and
   * indexes have any names, and migrations do not change it.
   */
  readonly owned?: boolean;
}

/** Whether another owner creates and changes the table; one without a location is always the application's. */
export const isExternalTable = (location: TableLocation | undefined): boolean =>
  location !== undefined && location.owned !== true;
