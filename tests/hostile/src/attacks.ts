import type { Attack } from './attacks/attack.ts';
import { CONNECTION_ATTACKS } from './attacks/connection-attacks.ts';
import { DEFINITION_ATTACKS } from './attacks/definition-attacks.ts';
import { DELIVERY_ATTACKS } from './attacks/delivery-attacks.ts';
import { DOCUMENT_ATTACKS } from './attacks/document-attacks.ts';
import { FILE_NAME_ATTACKS } from './attacks/file-name-attacks.ts';
import { FILTER_ATTACKS } from './attacks/filter-attacks.ts';
import { IDENTITY_ATTACKS } from './attacks/identity-attacks.ts';
import { IMPORT_ATTACKS } from './attacks/import-attacks.ts';
import { OPERATION_ATTACKS } from './attacks/operation-attacks.ts';
import { PLAN_ATTACKS } from './attacks/plan-attacks.ts';
import { REPORT_ATTACKS } from './attacks/report-attacks.ts';
import { ROUTE_ATTACKS } from './attacks/route-attacks.ts';
import { SEARCH_ATTACKS } from './attacks/search-attacks.ts';
import { TREE_ATTACKS } from './attacks/tree-attacks.ts';
import { UPLOAD_ATTACKS } from './attacks/upload-attacks.ts';
import { USER_ATTACKS } from './attacks/user-attacks.ts';
import { WRITE_ATTACKS } from './attacks/write-attacks.ts';
import { XML_ATTACKS } from './attacks/xml-attacks.ts';

/** The attacks whose finding or title has the text of `LINTEL_HOSTILE_ONLY`: all where it is absent. */
const wanted = (attacks: readonly Attack[]): readonly Attack[] =>
  attacks.filter(({ finding, title }) => `${finding} ${title}`.includes(process.env['LINTEL_HOSTILE_ONLY'] ?? ''));

/** Attacks by what is written and by documents, which take as long as all others. */
export const WRITING_ATTACKS: readonly Attack[] = wanted([
  ...IMPORT_ATTACKS,
  ...WRITE_ATTACKS,
  ...FILE_NAME_ATTACKS,
  ...UPLOAD_ATTACKS,
  ...XML_ATTACKS,
  ...DOCUMENT_ATTACKS,
  ...DEFINITION_ATTACKS,
  ...DELIVERY_ATTACKS,
  ...REPORT_ATTACKS,
]);

/** All other attacks on findings, then all routes with too much of each resource. */
export const READING_ATTACKS: readonly Attack[] = wanted([
  ...PLAN_ATTACKS,
  ...FILTER_ATTACKS,
  ...SEARCH_ATTACKS,
  ...TREE_ATTACKS,
  ...CONNECTION_ATTACKS,
  ...USER_ATTACKS,
  ...IDENTITY_ATTACKS,
  ...OPERATION_ATTACKS,
  ...ROUTE_ATTACKS,
]);

export const WANTED_ATTACKS: readonly Attack[] = [...READING_ATTACKS, ...WRITING_ATTACKS];
