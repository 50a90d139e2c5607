/** What the platform sets by itself. */
export const AUTOMATIC_ATTRIBUTES: ReadonlySet<string> = new Set([
  'version',
  'createdDate',
  'createdBy',
  'lastModifiedDate',
  'lastModifiedBy',
  'deletedDate',
  'deletedBy',
]);
