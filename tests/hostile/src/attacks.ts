import type { Attack } from './attacks/attack.ts';
import { CONNECTION_ATTACKS } from './attacks/connection-attacks.ts';
import { DEFINITION_ATTACKS } from './attacks/definition-attacks.ts';
import { DOCUMENT_ATTACKS } from './attacks/document-attacks.ts';
import { FILTER_ATTACKS } from './attacks/filter-attacks.ts';
import { IDENTITY_ATTACKS } from './attacks/identity-attacks.ts';
import { IMPORT_ATTACKS } from './attacks/import-attacks.ts';
import { OPERATION_ATTACKS } from './attacks/operation-attacks.ts';
import { PLAN_ATTACKS } from './attacks/plan-attacks.ts';
import { REPORT_ATTACKS } from './attacks/report-attacks.ts';
import { ROUTE_ATTACKS } from './attacks/route-attacks.ts';
import { SEARCH_ATTACKS } from './attacks/search-attacks.ts';
import { UPLOAD_ATTACKS } from './attacks/upload-attacks.ts';
import { USER_ATTACKS } from './attacks/user-attacks.ts';
import { WRITE_ATTACKS } from './attacks/write-attacks.ts';
import { XML_ATTACKS } from './attacks/xml-attacks.ts';

/** All attacks on findings, then all routes with too much of each resource. */
const ATTACKS: readonly Attack[] = [
  ...PLAN_ATTACKS,
  ...FILTER_ATTACKS,
  ...IMPORT_ATTACKS,
  ...SEARCH_ATTACKS,
  ...WRITE_ATTACKS,
  ...UPLOAD_ATTACKS,
  ...CONNECTION_ATTACKS,
  ...USER_ATTACKS,
  ...IDENTITY_ATTACKS,
  ...XML_ATTACKS,
  ...DOCUMENT_ATTACKS,
  ...DEFINITION_ATTACKS,
  ...REPORT_ATTACKS,
  ...OPERATION_ATTACKS,
  ...ROUTE_ATTACKS,
];

/** The attacks whose finding or title has the text of `LINTEL_HOSTILE_ONLY`: all where it is absent. */
export const WANTED_ATTACKS: readonly Attack[] = ATTACKS.filter(({ finding, title }) =>
  `${finding} ${title}`.includes(process.env['LINTEL_HOSTILE_ONLY'] ?? ''),
);
