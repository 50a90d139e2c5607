/** What the platform sets by itself. */
export const AUTOMATIC: ReadonlySet<string> = new Set([
  'version',
  'createdDate',
  'createdBy',
  'lastModifiedDate',
  'lastModifiedBy',
  'deletedDate',
  'deletedBy',
]);
